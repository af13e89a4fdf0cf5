internal import CameraModel

extension CameraParameters {
  /// Whether the radial distortion turns back somewhere inside the image, so that two directions
  /// meet in one pixel.
  ///
  /// Walks outward from the principal point until the image's farthest corner is reached.
  var foldsOver: Bool {
    let (w, h) = (Double(resolution.width), Double(resolution.height))
    let (x, y) = (
      max(intrinsics.cx + 0.5, w - 0.5 - intrinsics.cx) / intrinsics.fx,
      max(intrinsics.cy + 0.5, h - 0.5 - intrinsics.cy) / intrinsics.fy
    )
    let reach = (x * x + y * y).squareRoot()
    guard reach.isFinite, reach > 0 else { return true }
    let d = distortion
    // OpenCV knows no splines, and so never calibrates one.
    guard lensModel != .spline else { return false }
    // 1000 steps: to the edge of a fisheye's half field (π), or to a pinhole's 86°.
    let end = lensModel == .fisheye ? 3.14 : 15.0
    var last = 0.0
    for step in 1...1000 {
      // Cubed for the pinhole: fine steps near the axis, where a narrow lens ends.
      let share = Double(step) / 1000
      let radius = lensModel == .fisheye ? end * share : end * share * share * share
      let r2 = radius * radius
      let value: Double
      switch lensModel {
      case .fisheye, .spline:
        value = radius * (1 + r2 * (d[0] + r2 * (d[1] + r2 * (d[2] + r2 * d[3]))))
      case .pinhole:
        value = radius * (1 + r2 * (d[0] + r2 * (d[1] + r2 * d[4])))
      case .rational:
        let denominator = 1 + r2 * (d[5] + r2 * (d[6] + r2 * d[7]))
        guard denominator > 0 else { return true }
        value = radius * (1 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]))) / denominator
      }
      guard value > last else { return true }
      if value >= reach { return false }
      last = value
    }
    // The field ends before the corner does (a round fisheye image): no fold.
    return false
  }
}
