package import CameraModel
import Locking

/// How far the image of a fixed direction (or of a point at a distance) may be off, over the image.
///
/// Two calibrations of one camera differ also by a turn and a shift of the camera frame, which the
/// poses take up; what counts is the difference that is left. With C the covariance of the shared
/// parameters, J_q = ∂π/∂q and T = ∂π/∂(turn, shift of the camera frame) at the point that a pixel
/// sees, and M the motion that best takes up a change of parameters (`Linearization.alignment`),
/// Cov(u) = (J_q + T·M)·C·(J_q + T·M)ᵀ. At infinity only the turn counts.
package struct ProjectionUncertainty: Sendable {
  /// The number of cells in a row of the grid over the image.
  package static let columns = 32
  /// The number of rows of cells.
  package static let rows = 18
  /// The levels of `share`, in hundredths of the image's diagonal.
  package static let levels = [0.1, 0.2, 0.4]

  /// 1σ at each cell's centre, row by row, pixels: the root of the larger eigenvalue, from the
  /// larger of noise and view-to-view covariance; nil where the model can't be inverted ("no data").
  package var sigma: [Double?]
  /// The level that half of the area stays within, pixels; nil when that area has no data.
  package var median: Double?
  /// The level that 90 % of the area stays within, pixels; nil when that area has no data.
  package var p90: Double?
  /// The largest value, pixels; nil when a cell has no data.
  package var worst: Double?
  /// The share of the area within each of `levels`.
  package var share: [Double]

  /// The uncertainty over the image of a solution.
  ///
  /// - Parameters:
  ///   - distance: The depth (Z) of the points in the unit of the board points; nil for infinity.
  ///   - jobs: The number of threads; the result does not depend on it.
  package init(
    _ solution: Solution, covariance: ParameterCovariance, distance: Double? = nil, jobs: Int = 1
  ) {
    let camera = solution.camera
    let size = camera.resolution
    let predictor = ProjectionCovariance(solution, covariance: covariance, distance: distance)
    let cells = Self.cellCentres(of: size)
    let hasFold = camera.hasFold(within: cells)
    sigma = Parallel.map(Self.rows, jobs: jobs) { row in
      let cells = Array(cells[(row * Self.columns)..<((row + 1) * Self.columns)])
      return camera.unproject(cells, hasFold: hasFold).map { ray in
        ray.flatMap { predictor?.sigma(along: $0) }
      }
    }.flatMap { $0 }
    let sorted = sigma.map { $0 ?? .infinity }.sorted()
    func level(_ value: Double) -> Double? { value.isFinite ? value : nil }
    let middle = sorted.count / 2
    median = level((sorted[middle - 1] + sorted[middle]) / 2)
    // The smallest level that at least 90 % of the cells stay within.
    p90 = level(sorted[(sorted.count * 9 + 9) / 10 - 1])
    worst = level(sorted[sorted.count - 1])
    share = Self.levels.map { percent in
      let limit = percent / 100 * size.diagonal
      return Double(sorted.count { $0 <= limit }) / Double(sorted.count)
    }
  }

  /// The share of the cells whose centre the lens model gives a direction to.
  package static func shareWithData(of camera: CameraParameters) -> Double {
    let rays = camera.unproject(cellCentres(of: camera.resolution))
    return Double(rays.count { $0 != nil }) / Double(rays.count)
  }

  /// The centres of all cells, row by row.
  static func cellCentres(of size: Resolution) -> [SIMD2<Double>] {
    (0..<(rows * columns)).map { cellCentre(column: $0 % columns, row: $0 / columns, of: size) }
  }

  /// The centre of a cell in the pixel-centre convention; the grid spans the whole image, from −0.5.
  package static func cellCentre(column: Int, row: Int, of size: Resolution) -> SIMD2<Double> {
    SIMD2(
      (Double(column) + 0.5) * Double(size.width) / Double(columns) - 0.5,
      (Double(row) + 0.5) * Double(size.height) / Double(rows) - 0.5)
  }
}

/// The covariance of the projection at any pixel; see `ProjectionUncertainty`.
package struct ProjectionCovariance: Sendable {
  private let camera: CameraParameters
  /// The parameters of each slot.
  private let slots: [[Int]]
  private let alignment: [Double]
  private let covariances: [[Double]]
  private let distance: Double?

  /// nil where the points did not determine the motion that takes up a change of parameters.
  package init?(
    _ solution: Solution, covariance: ParameterCovariance?, distance: Double? = nil
  ) {
    guard let alignment = solution.linearization.alignment else { return nil }
    camera = solution.camera
    slots = Array(solution.cameraSlots)
    self.alignment = alignment
    self.distance = distance
    covariances = [covariance?.noise, covariance?.viewToView].compactMap { $0?.flatMap { $0 } }
  }

  /// 1σ at a pixel, in pixels: the larger of both covariances; nil where there is no data.
  package func sigma(at pixel: SIMD2<Double>) -> Double? {
    camera.unproject(pixel).flatMap { sigma(along: $0) }
  }

  /// The same where what the pixel sees is known.
  func sigma(along ray: SIMD3<Double>) -> Double? {
    let largest = withSensitivity(along: ray) { g in
      var largest: Double?
      for covariance in covariances {
        let m = covariance.withUnsafeBufferPointer { Self.propagate(g, $0, slots.count) }
        let half = (m.xx - m.yy) / 2
        let eigenvalue = (m.xx + m.yy) / 2 + (half * half + m.xy * m.xy).squareRoot()
        largest = max(largest ?? eigenvalue, eigenvalue)
      }
      return largest
    }
    guard let largest, let largest, largest.isFinite, largest >= 0 else { return nil }
    return largest.squareRoot()
  }

  /// A symmetric 2x2 covariance of a pixel position, px².
  package struct Matrix: Sendable, Hashable {
    package var xx: Double
    package var xy: Double
    package var yy: Double
  }

  /// Noise and, where available, view-to-view covariance at a pixel; nil where there is no data.
  package func matrices(at pixel: SIMD2<Double>) -> [Matrix]? {
    guard let ray = camera.unproject(pixel) else { return nil }
    return withSensitivity(along: ray) { g in
      covariances.map { covariance in
        covariance.withUnsafeBufferPointer { Self.propagate(g, $0, slots.count) }
      }
    }
  }

  /// The mean over pixels of (J_q + T·M)ᵀ·(J_q + T·M), row by row, those without data left out; nil
  /// where none has data.
  func meanSquare(at pixels: [SIMD2<Double>]) -> [Double]? {
    let p = slots.count
    var sum = [Double](repeating: 0, count: p * p)
    var seen = 0.0
    for ray in camera.unproject(pixels) {
      guard let ray else { continue }
      let added: Void? = withSensitivity(along: ray) { g in
        for i in 0..<p {
          for j in 0..<p { sum[i * p + j] += (g[i] * g[j]).sum() }
        }
      }
      if added != nil { seen += 1 }
    }
    return seen > 0 ? sum.map { $0 / seen } : nil
  }

  /// Calls `body` with J_q + T·M where a ray meets the image, a pair (u, v) for each free parameter: how
  /// the image of what a pixel sees moves with it after alignment; nil where there is no data.
  func withSensitivity<Result>(
    along ray: SIMD3<Double>, _ body: (UnsafePointer<SIMD2<Double>>) -> Result
  ) -> Result? {
    let point: SIMD3<Double>
    if let distance {
      guard ray.z > 0 else { return nil }
      point = ray * (distance / ray.z)
    } else {
      point = ray
    }
    let count = camera.lensModel.parameterNames.count
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * count) { buffer in
      guard let jacobian = buffer.baseAddress,
        let image = camera.projectWithJacobians(point, parameterJacobian: jacobian)
      else { return nil }
      return withUnsafeTemporaryAllocation(
        of: SIMD2<Double>.self, capacity: max(1, slots.count)
      ) { buffer in
        guard let g = buffer.baseAddress else { return nil }
        fillSensitivity(g, image: image, point: point, jacobian: jacobian, count: count)
        return body(g)
      }
    }
  }

  /// J_q + T·M: `slots.count` pairs.
  private func fillSensitivity(
    _ g: UnsafeMutablePointer<SIMD2<Double>>, image: LensProjection, point: SIMD3<Double>,
    jacobian: UnsafePointer<Double>, count: Int
  ) {
    let p = slots.count
    let (u, v) = (image.uByPoint, image.vByPoint)
    let (byX, byY, byZ) = (SIMD2(u.0, v.0), SIMD2(u.1, v.1), SIMD2(u.2, v.2))
    let turnX = point.y * byZ - point.z * byY
    let turnY = point.z * byX - point.x * byZ
    let turnZ = point.x * byY - point.y * byX
    alignment.withUnsafeBufferPointer { m in
      for (slot, indices) in slots.enumerated() {
        var value = SIMD2<Double>()
        for index in indices { value += SIMD2(jacobian[index], jacobian[count + index]) }
        value += turnX * m[slot]
        value += turnY * m[p + slot]
        value += turnZ * m[2 * p + slot]
        if distance != nil {
          value += byX * m[3 * p + slot]
          value += byY * m[4 * p + slot]
          value += byZ * m[5 * p + slot]
        }
        g[slot] = value
      }
    }
  }

  /// G·C·Gᵀ, from the lower triangle of C.
  private static func propagate(
    _ g: UnsafePointer<SIMD2<Double>>, _ c: UnsafeBufferPointer<Double>, _ p: Int
  ) -> Matrix {
    var (squares, mixed) = (SIMD2<Double>(), 0.0)
    var i = 0
    while i < p {
      var sum = g[i] * (0.5 * c[i * p + i])
      var j = 0
      while j < i {
        sum += g[j] * c[i * p + j]
        j += 1
      }
      squares += g[i] * sum
      mixed += g[i].x * sum.y + g[i].y * sum.x
      i += 1
    }
    return Matrix(xx: 2 * squares.x, xy: mixed, yy: 2 * squares.y)
  }
}
