extension CameraParameters {
  /// The pixel at which a point in front of the camera appears; nil where the model has no answer
  /// (for `pinhole` and `rational`: behind or in the plane of the camera, or beyond a pole; for `spline`:
  /// beyond `thetaMax`).
  ///
  /// - Parameter point: Camera coordinates, any unit of length.
  /// - Returns: A pixel position in the pixel-centre convention; it may lie outside the image.
  public func project(_ point: SIMD3<Double>) -> SIMD2<Double>? {
    guard let image = projectWithJacobians(point, parameterJacobian: nil) else { return nil }
    let pixel = SIMD2(image.u, image.v)
    return pixel.x.isFinite && pixel.y.isFinite ? pixel : nil
  }

  /// The image of a point with its derivatives; nil where the model has no answer.
  ///
  /// - Parameters:
  ///   - point: Camera coordinates, any unit of length.
  ///   - parameterJacobian: nil, or room for twice as many numbers as the model has parameters, which
  ///     become ∂u/∂parameters and then ∂v/∂parameters.
  package func projectWithJacobians(
    _ point: SIMD3<Double>, parameterJacobian: UnsafeMutablePointer<Double>?
  ) -> LensProjection? {
    withParameterPointer { parameters in
      var visitor = Projecting(point: point, parameters: parameters, jacobian: parameterJacobian)
      return lensModel.withKernel(&visitor)
    }
  }

  /// Calls `body` with all parameters in the order of `lensModel.parameterNames`.
  package func withParameterPointer<Result>(
    _ body: (UnsafePointer<Double>) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: Double.self, capacity: 4 + distortion.count) { buffer in
      buffer.initializeElement(at: 0, to: intrinsics.fx)
      buffer.initializeElement(at: 1, to: intrinsics.fy)
      buffer.initializeElement(at: 2, to: intrinsics.cx)
      buffer.initializeElement(at: 3, to: intrinsics.cy)
      for (index, coefficient) in distortion.enumerated() {
        buffer.initializeElement(at: 4 + index, to: coefficient)
      }
      guard let base = UnsafePointer(buffer.baseAddress) else {
        preconditionFailure("a buffer of at least four numbers has an address")
      }
      return try body(base)
    }
  }
}

private struct Projecting: LensKernelVisitor {
  var point: SIMD3<Double>
  var parameters: UnsafePointer<Double>
  var jacobian: UnsafeMutablePointer<Double>?

  mutating func visit<Kernel: LensKernel>(_ kernel: Kernel.Type) -> LensProjection? {
    Kernel.project(
      x: point.x, y: point.y, z: point.z, parameters: parameters, jacobian: jacobian)
  }
}
