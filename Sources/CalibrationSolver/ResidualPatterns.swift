import CameraModel

/// Patterns in the residuals that corner noise does not have, as figures.
package struct ResidualPatterns: Sendable, Hashable {
  /// A mean with its standard error (as if residuals were independent), pixels.
  package struct Mean: Sendable, Hashable {
    package var mean: Double
    package var standardError: Double
    package var count: Int
  }

  /// The mean outward residual (projected − seen, along the radius from the principal point) in rings of
  /// equal width from the principal point to the farthest used point; a lens model that is too simple
  /// shows as a wave.
  package var outwardByRadius: [Mean]
  /// The correlation of residuals of neighbouring corners, −1…1; nil without neighbours.
  ///
  /// Corner noise has 0, real sets 0.3 to 0.7; a negative value says that dark and light squares pull in turn.
  package var neighbourCorrelation: Double?
  /// Half the difference of the mean residuals of even and odd corners (column + row), along the
  /// board's x and y, pixels: a detector that is biased by which squares are dark.
  package var parity: (x: Mean, y: Mean)? {
    if let parityX, let parityY { (parityX, parityY) } else { nil }
  }

  private var parityX: Mean?
  private var parityY: Mean?

  /// The number of rings of `outwardByRadius`.
  package static let rings = 8

  /// The patterns of a solution's used points.
  package init(_ problem: SolverProblem, solution: Solution) {
    var radii: [(radius: Double, outward: Double)] = []
    var (product, squares) = (0.0, 0.0)
    var pairs = 0
    var (alternatingX, alternatingY) = ([Double](), [Double]())
    let centre = SIMD2(solution.camera.intrinsics.cx, solution.camera.intrinsics.cy)
    for view in problem.activeViews {
      let observed = problem.views[view]
      let residuals = solution.residuals[view]
      let lattice = BoardLattice(observed.boardPoints)
      let axes = Self.axes(of: observed, lattice)
      for point in observed.pixels.indices where observed.isUsed[point] {
        let r = residuals[point]
        let d = observed.pixels[point] - centre
        let radius = (d * d).sum().squareRoot()
        radii.append((radius, radius > 0 ? (r * d).sum() / radius : 0))
        if let lattice {
          for next in [lattice.right(of: point), lattice.below(point)] {
            guard let next, observed.isUsed[next] else { continue }
            product += (r * residuals[next]).sum()
            squares += ((r * r).sum() + (residuals[next] * residuals[next]).sum()) / 2
            pairs += 1
          }
          if let axes {
            let sign = lattice.isEven(point) ? 1.0 : -1.0
            alternatingX.append(sign * (r * axes.x).sum())
            alternatingY.append(sign * (r * axes.y).sum())
          }
        }
      }
    }
    let largest = radii.map(\.radius).max() ?? 0
    outwardByRadius = (0..<Self.rings).map { ring in
      Self.mean(
        radii.filter {
          largest > 0 && min(Self.rings - 1, Int($0.radius / largest * Double(Self.rings))) == ring
        }.map(\.outward))
    }
    neighbourCorrelation = pairs > 0 && squares > 0 ? product / squares : nil
    parityX = alternatingX.isEmpty ? nil : Self.mean(alternatingX)
    parityY = alternatingY.isEmpty ? nil : Self.mean(alternatingY)
  }

  private static func mean(_ values: [Double]) -> Mean {
    guard values.count > 1 else {
      return Mean(mean: values.first ?? 0, standardError: 0, count: values.count)
    }
    let n = Double(values.count)
    let mean = values.reduce(0, +) / n
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return Mean(
      mean: mean, standardError: (squares / (n - 1) / n).squareRoot(), count: values.count)
  }

  /// The directions of the board's axes in the image, of length 1, as means over the view.
  private static func axes(
    of view: ObservedView, _ lattice: BoardLattice?
  ) -> (x: SIMD2<Double>, y: SIMD2<Double>)? {
    guard let lattice else { return nil }
    var (x, y) = (SIMD2<Double>(), SIMD2<Double>())
    for point in view.pixels.indices {
      if let next = lattice.right(of: point) { x += view.pixels[next] - view.pixels[point] }
      if let next = lattice.below(point) { y += view.pixels[next] - view.pixels[point] }
    }
    let (lengthX, lengthY) = ((x * x).sum().squareRoot(), (y * y).sum().squareRoot())
    guard lengthX > 0, lengthY > 0 else { return nil }
    return (x / lengthX, y / lengthY)
  }
}

/// Rows and columns of board points that form a rectangular grid, found from their coordinates.
struct BoardLattice {
  private var columns: [Int]
  private var rows: [Int]
  private var pointAt: [SIMD2<Int>: Int]

  /// nil where the points are no grid.
  init?(_ points: [SIMD3<Double>]) {
    func ranks(_ values: [Double]) -> [Int]? {
      let sorted = values.sorted()
      guard let first = sorted.first, let last = sorted.last, last > first else { return nil }
      // The smallest step that is more than rounding is the spacing.
      let tiny = (last - first) * 1e-6
      var spacing = last - first
      for (a, b) in zip(sorted, sorted.dropFirst()) where b - a > tiny {
        spacing = min(spacing, b - a)
      }
      guard (last - first) / spacing < 1000 else { return nil }
      return values.map { Int((($0 - first) / spacing).rounded()) }
    }
    guard let columns = ranks(points.map(\.x)), let rows = ranks(points.map(\.y)) else {
      return nil
    }
    self.columns = columns
    self.rows = rows
    pointAt = [:]
    for point in points.indices { pointAt[SIMD2(columns[point], rows[point])] = point }
    guard pointAt.count == points.count else { return nil }
  }

  func right(of point: Int) -> Int? { pointAt[SIMD2(columns[point] + 1, rows[point])] }

  func below(_ point: Int) -> Int? { pointAt[SIMD2(columns[point], rows[point] + 1)] }

  /// Whether column + row is even.
  func isEven(_ point: Int) -> Bool { (columns[point] + rows[point]) % 2 == 0 }
}
