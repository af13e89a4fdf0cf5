internal import CalibrationSolver
internal import CameraModel

/// The turn from one camera's frame to another's that leaves the least weighted squares of pixels.
struct Alignment: Sendable {
  var a: CameraParameters
  var b: CameraParameters
  /// What A sees at each cell's centre, a direction in A's frame; nil without an answer.
  var rays: [SIMD3<Double>?]
  var rotation: RotationMatrix
  var field: DifferenceField

  /// Nil where too few cells have an answer in both, or the search does not settle.
  init?(_ a: CameraParameters, _ b: CameraParameters, weights: [Double]) {
    self.a = a
    self.b = b
    let size = a.resolution
    rays = (0..<DifferenceField.count).map { a.unproject(DifferenceField.centre($0, of: size)) }
    rotation = RotationMatrix(rotationVector: SIMD3())
    field = DifferenceField(resolution: size, differences: [])
    // The middle first: there all lens models are alike, and a first turn brings the corners near.
    for (iteration, reach) in [0.5, 0.5, 0.75, 0.75, 1].enumerated() {
      guard settle(weights, reach: reach, tolerance: iteration == 4 ? 1e-12 : 1e-6) else {
        return nil
      }
    }
    field.differences = rays.indices.map { difference(at: $0) }
    guard field.knownCount >= Comparison.fewestCells else { return nil }
  }

  /// Steps of a damped search (Levenberg–Marquardt) until they are small; false where they do not
  /// become so.
  ///
  /// A cell whose direction B does not see once, or sees a quarter of the image away, is left out from
  /// then on: those at the edge of what B sees would come and go for ever, and where a polynomial runs
  /// away no turn helps.
  private mutating func settle(_ weights: [Double], reach: Double, tolerance: Double) -> Bool {
    var cells = rays.indices.filter {
      weights[$0] > 0 && isWithin(reach, $0) && isNear($0)
    }
    var damping = 0.0
    for _ in 0..<200 {
      guard cells.count >= Comparison.fewestCells / 4 else { return false }
      guard let (cost, turn) = step(over: cells, weights, damping: damping) else { return false }
      let length = (turn * turn).sum().squareRoot()
      guard length.isFinite else { return false }
      // No camera is turned by more than this against itself in one step.
      let bounded = length > 0.3 ? turn * (0.3 / length) : turn
      let start = rotation
      rotation = RotationMatrix(rotationVector: bounded) * rotation
      if length < tolerance { return true }
      let seen = cells.filter { isNear($0) }
      if seen.count < cells.count, seen.count > cells.count * 9 / 10 {
        // Judged again without them.
        rotation = start
        cells = seen
      } else if seen.count == cells.count, self.cost(over: cells, weights) < cost {
        damping = damping > 1e-6 ? damping / 10 : 0
      } else {
        rotation = start
        damping = max(damping * 10, 1e-3)
      }
    }
    return false
  }

  /// The weighted squares over some cells and the damped step that lowers them; nil without an answer.
  private func step(
    over cells: [Int], _ weights: [Double], damping: Double
  ) -> (cost: Double, turn: SIMD3<Double>)? {
    var equations = TurnEquations()
    for cell in cells {
      guard let image = image(of: cell) else { return nil }
      equations.add(
        image, at: DifferenceField.centre(cell, of: a.resolution), weight: weights[cell])
    }
    return equations.step(damping: damping).map { (equations.cost, $0) }
  }

  private func isNear(_ cell: Int) -> Bool {
    guard let off = difference(at: cell) else { return false }
    return (off * off).sum().squareRoot() < 0.25 * a.resolution.diagonal
  }

  private func cost(over cells: [Int], _ weights: [Double]) -> Double {
    cells.reduce(0) { sum, cell in
      guard let error = difference(at: cell) else { return .infinity }
      return sum + weights[cell] * (error * error).sum()
    }
  }

  private func isWithin(_ reach: Double, _ cell: Int) -> Bool {
    let (column, row) = (cell % DifferenceField.columns, cell / DifferenceField.columns)
    let x = abs((Double(column) + 0.5) / Double(DifferenceField.columns) - 0.5)
    let y = abs((Double(row) + 0.5) / Double(DifferenceField.rows) - 0.5)
    return max(x, y) <= reach / 2
  }

  /// Where B sees what A sees at a cell, and how that moves as the frame turns.
  func image(
    of cell: Int, parameterJacobian: UnsafeMutablePointer<Double>? = nil
  ) -> TurnedImage? {
    rays[cell].flatMap {
      TurnedImage(of: rotation * $0, in: b, parameterJacobian: parameterJacobian)
    }
  }

  private func difference(at cell: Int) -> SIMD2<Double>? {
    image(of: cell).map { $0.pixel - DifferenceField.centre(cell, of: a.resolution) }
  }
}
