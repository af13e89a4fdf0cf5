extension CameraParameters {
  /// The pixel at which a camera without distortion would show what this camera shows at `pixel`.
  ///
  /// - Parameters:
  ///   - pixel: A pixel of this camera's image, pixel-centre convention.
  ///   - intrinsics: The intrinsics of the camera without distortion; by default this camera's own.
  /// - Returns: The position in the pixel-centre convention; nil where the lens model can't be
  ///   inverted or the direction is 90° or more off the axis, which no plane shows.
  public func undistorted(
    _ pixel: SIMD2<Double>, onto intrinsics: Intrinsics? = nil
  ) -> SIMD2<Double>? {
    guard let ray = unproject(pixel), ray.z > 0 else { return nil }
    let target = intrinsics ?? self.intrinsics
    return SIMD2(target.fx * ray.x / ray.z + target.cx, target.fy * ray.y / ray.z + target.cy)
  }

  /// The pixels at which a camera without distortion would show these pixels, in the same order.
  public func undistorted(
    _ pixels: [SIMD2<Double>], onto intrinsics: Intrinsics? = nil
  ) -> [SIMD2<Double>?] {
    pixels.map { undistorted($0, onto: intrinsics) }
  }

  /// The pixel at which this camera shows what a camera without distortion shows at `pixel`.
  ///
  /// The inverse of `undistorted(_:onto:)`, for looking up each pixel of an undistorted image.
  ///
  /// - Parameters:
  ///   - pixel: A pixel of the image without distortion, pixel-centre convention.
  ///   - intrinsics: The intrinsics of the camera without distortion; by default this camera's own.
  /// - Returns: The position in the pixel-centre convention; it may lie outside the image.
  public func distorted(
    _ pixel: SIMD2<Double>, from intrinsics: Intrinsics? = nil
  ) -> SIMD2<Double>? {
    let source = intrinsics ?? self.intrinsics
    return project(
      SIMD3((pixel.x - source.cx) / source.fx, (pixel.y - source.cy) / source.fy, 1))
  }
}
