package import CameraModel

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
  /// - Parameter distance: The depth (Z) of the points in the unit of the board points; nil for
  ///   infinity.
  package init(_ solution: Solution, covariance: ParameterCovariance, distance: Double? = nil) {
    let size = solution.camera.resolution
    let predictor = ProjectionCovariance(solution, covariance: covariance, distance: distance)
    sigma = []
    for row in 0..<Self.rows {
      for column in 0..<Self.columns {
        let pixel = Self.cellCentre(column: column, row: row, of: size)
        sigma.append(predictor?.sigma(at: pixel))
      }
    }
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
  private let freeIndices: [Int]
  private let alignment: [Double]
  private let covariances: [[Double]]
  private let distance: Double?

  /// nil where the points did not determine the motion that takes up a change of parameters.
  package init?(
    _ solution: Solution, covariance: ParameterCovariance?, distance: Double? = nil
  ) {
    guard let alignment = solution.linearization.alignment else { return nil }
    camera = solution.camera
    freeIndices = solution.free.indices.filter { solution.free[$0] }
    self.alignment = alignment
    self.distance = distance
    covariances = [covariance?.noise, covariance?.viewToView].compactMap { $0?.flatMap { $0 } }
  }

  /// 1σ at a pixel, in pixels: the larger of both covariances; nil where there is no data.
  package func sigma(at pixel: SIMD2<Double>) -> Double? {
    guard let all = matrices(at: pixel) else { return nil }
    let largest = all.map { m in
      let half = (m.xx - m.yy) / 2
      return (m.xx + m.yy) / 2 + (half * half + m.xy * m.xy).squareRoot()
    }.max()
    guard let largest, largest.isFinite, largest >= 0 else { return nil }
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
    let p = freeIndices.count
    return withSensitivity(at: pixel) { g in
      covariances.map { covariance in
        covariance.withUnsafeBufferPointer { c in Self.propagate(g, c, p) }
      }
    }
  }

  /// Calls `body` with J_q + T·M at a pixel, two rows of as many numbers as free parameters: how the image
  /// of what the pixel sees moves with each of them after alignment; nil where there is no data.
  func withSensitivity<Result>(
    at pixel: SIMD2<Double>, _ body: (UnsafePointer<Double>) -> Result
  ) -> Result? {
    guard let ray = camera.unproject(pixel) else { return nil }
    let point: SIMD3<Double>
    if let distance {
      guard ray.z > 0 else { return nil }
      point = ray * (distance / ray.z)
    } else {
      point = ray
    }
    let count = camera.lensModel.parameterNames.count
    let p = freeIndices.count
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * count + 2 * p) { buffer in
      guard let jacobian = buffer.baseAddress,
        let image = camera.projectWithJacobians(point, parameterJacobian: jacobian)
      else { return nil }
      let g = jacobian + 2 * count
      fillSensitivity(g, image: image, point: point, jacobian: jacobian, count: count)
      return body(g)
    }
  }

  /// J_q + T·M: two rows of `freeIndices.count` numbers.
  private func fillSensitivity(
    _ g: UnsafeMutablePointer<Double>, image: LensProjection, point: SIMD3<Double>,
    jacobian: UnsafePointer<Double>, count: Int
  ) {
    let p = freeIndices.count
    for (row, by) in [image.uByPoint, image.vByPoint].enumerated() {
      let turn = (
        point.y * by.2 - point.z * by.1, point.z * by.0 - point.x * by.2,
        point.x * by.1 - point.y * by.0
      )
      for (slot, index) in freeIndices.enumerated() {
        var value =
          jacobian[row * count + index] + turn.0 * alignment[slot] + turn.1 * alignment[p + slot]
          + turn.2 * alignment[2 * p + slot]
        if distance != nil {
          value +=
            by.0 * alignment[3 * p + slot] + by.1 * alignment[4 * p + slot]
            + by.2 * alignment[5 * p + slot]
        }
        g[row * p + slot] = value
      }
    }
  }

  private static func propagate(
    _ g: UnsafePointer<Double>, _ c: UnsafeBufferPointer<Double>, _ p: Int
  ) -> Matrix {
    var m = Matrix(xx: 0, xy: 0, yy: 0)
    var i = 0
    while i < p {
      var u = 0.0
      var v = 0.0
      var j = 0
      while j < p {
        u += c[i * p + j] * g[j]
        v += c[i * p + j] * g[p + j]
        j += 1
      }
      m.xx += g[i] * u
      m.xy += g[i] * v
      m.yy += g[p + i] * v
      i += 1
    }
    return m
  }
}
