/// Where pixel coordinates have their origin.
public enum PixelOrigin: String, Sendable, Hashable, CaseIterable {
  /// The centre of the top-left pixel is (0, 0): OpenCV's convention and what is stored.
  case center
  /// The top-left corner of the top-left pixel is (0, 0): Apple's convention, (0.5, 0.5) more.
  case corner
}

/// Focal lengths and principal point of a camera at one resolution, in pixels.
///
/// Whatever the lens model, `fx` and `fy` are the paraxial focal lengths: the derivatives of the
/// pixel position by X/Z and Y/Z on the optical axis. The principal point is in the pixel-centre
/// convention (`PixelOrigin.center`).
public struct Intrinsics: Sendable, Hashable {
  /// The focal length along the rows, in pixels.
  public var fx: Double
  /// The focal length along the columns, in pixels.
  public var fy: Double
  /// The principal point's column, in pixels, pixel centres at whole numbers.
  public var cx: Double
  /// The principal point's row, in pixels, pixel centres at whole numbers.
  public var cy: Double

  /// Creates intrinsics from focal lengths and a principal point in the pixel-centre convention.
  public init(fx: Double, fy: Double, cx: Double, cy: Double) {
    self.fx = fx
    self.fy = fy
    self.cx = cx
    self.cy = cy
  }

  /// The intrinsic matrix with rows (fx 0 cx), (0 fy cy), (0 0 1), its principal point measured
  /// from `origin`.
  public func matrix(origin: PixelOrigin = .center) -> matrix_float3x3 {
    let shift = origin == .corner ? 0.5 : 0
    return matrix_float3x3(
      SIMD3(Float(fx), 0, 0),
      SIMD3(0, Float(fy), 0),
      SIMD3(Float(cx + shift), Float(cy + shift), 1))
  }
}
