package import CameraModel

extension CameraParameters {
  /// A made-up but plausible camera of a lens model: its principal point a little off the middle, its
  /// pixels not quite square, with the distortion of an inexpensive lens.
  ///
  /// About 68° of horizontal view for `pinhole` and `rational`, 150° for `fisheye` and `spline`.
  package static func example(
    _ lensModel: LensModel = .pinhole, resolution: Resolution = Resolution(width: 640, height: 480)
  ) -> CameraParameters {
    let (width, height) = (Double(resolution.width), Double(resolution.height))
    let focalLength = (lensModel.isAngular ? 0.37 : 0.76) * max(width, height)
    let distortion: [Double] =
      switch lensModel {
      case .pinhole: [-0.24, 0.06, 0.0006, -0.0004, 0]
      case .rational: [0.31, -0.06, 0.0006, -0.0004, 0.002, 0.58, -0.01, 0.004]
      case .fisheye: [-0.015, 0.004, -0.002, 0.0004]
      case .spline: [-0.015, 0.004, 0.0006, -0.0004, -0.002, 0.0004, 0.02, -0.002, 0.03, 1.9]
      }
    return CameraParameters(
      resolution: resolution, lensModel: lensModel,
      intrinsics: Intrinsics(
        fx: focalLength, fy: 1.002 * focalLength,
        cx: 0.5 * width - 0.5 + 0.008 * width, cy: 0.5 * height - 0.5 - 0.006 * height),
      distortion: distortion)
  }
}
