import CameraModel

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
    _ solution: Solution, covariance: ParameterCovariance, distance: Double? = nil
  ) {
    guard let alignment = solution.linearization.alignment else { return nil }
    camera = solution.camera
    slots = Array(solution.cameraSlots)
    self.alignment = alignment
    self.distance = distance
    covariances = [covariance.noise, covariance.viewToView].compactMap { $0?.flatMap { $0 } }
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
