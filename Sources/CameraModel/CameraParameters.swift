/// A camera at one resolution: its intrinsics and the distortion of its lens.
///
/// Points are in the camera frame: x to the right, y down, z along the optical axis, metres (any
/// unit serves, only directions count). Pixels are in the pixel-centre convention: the centre of
/// the top-left pixel is (0, 0), the image spans −0.5 … width − 0.5.
public struct CameraParameters: Sendable, Hashable {
  /// The size of the images that these parameters belong to.
  public var resolution: Resolution
  /// The lens model that gives `distortion` its meaning.
  public var lensModel: LensModel
  /// Focal lengths and principal point in pixels.
  public var intrinsics: Intrinsics
  /// The coefficients in the order of `lensModel.coefficientNames`, without unit; always as many as those.
  public private(set) var distortion: [Double]

  /// Creates a camera; coefficients that are not given are zero (a spline needs its last one, `thetaMax`:
  /// at 0 it sees nothing).
  ///
  /// - Parameter distortion: Coefficients in the order of `lensModel.coefficientNames`, not more.
  public init(
    resolution: Resolution, lensModel: LensModel = .pinhole, intrinsics: Intrinsics,
    distortion: [Double] = []
  ) {
    let count = lensModel.coefficientNames.count
    precondition(distortion.count <= count, "\(lensModel) has \(count) coefficients")
    self.resolution = resolution
    self.lensModel = lensModel
    self.intrinsics = intrinsics
    self.distortion = distortion + Array(repeating: 0, count: count - distortion.count)
  }

  /// All parameters in the order of `lensModel.parameterNames`.
  public var parameterVector: [Double] {
    [intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy] + distortion
  }

  /// Creates a camera from all parameters in the order of `lensModel.parameterNames`.
  public init(resolution: Resolution, lensModel: LensModel, parameterVector v: [Double]) {
    self.init(
      resolution: resolution, lensModel: lensModel,
      intrinsics: Intrinsics(fx: v[0], fy: v[1], cx: v[2], cy: v[3]),
      distortion: Array(v[4...]))
  }
}
