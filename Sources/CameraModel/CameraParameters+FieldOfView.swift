import Glibc

extension CameraParameters {
  /// The angle between the directions that the left and the right border of the image see in its
  /// middle row, radians, found by unprojecting them: right for any lens, also beyond 180°.
  ///
  /// Nil where the model can't be inverted at a border.
  public var horizontalFieldOfView: Double? {
    let middle = Double(resolution.height - 1) / 2
    // The image reaches half a pixel beyond the centres of its outer pixels.
    guard let left = unproject(SIMD2(-0.5, middle)),
      let right = unproject(SIMD2(Double(resolution.width) - 0.5, middle))
    else { return nil }
    return atan2(right.x, right.z) - atan2(left.x, left.z)
  }

  /// The angle between the directions that the upper and the lower border of the image see in its
  /// middle column, radians; nil where the model can't be inverted there.
  public var verticalFieldOfView: Double? {
    let middle = Double(resolution.width - 1) / 2
    guard let top = unproject(SIMD2(middle, -0.5)),
      let bottom = unproject(SIMD2(middle, Double(resolution.height) - 0.5))
    else { return nil }
    return atan2(bottom.y, bottom.z) - atan2(top.y, top.z)
  }

  /// The angle between the directions that the image's upper left and lower right corner see over the
  /// optical axis, radians; nil where the model can't be inverted there.
  public var diagonalFieldOfView: Double? {
    guard let first = unproject(SIMD2(-0.5, -0.5)),
      let last = unproject(
        SIMD2(Double(resolution.width) - 0.5, Double(resolution.height) - 0.5))
    else { return nil }
    return acos(max(-1, min(1, first.z))) + acos(max(-1, min(1, last.z)))
  }
}
