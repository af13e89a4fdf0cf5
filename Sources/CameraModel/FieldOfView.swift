import Glibc

/// How much of the scene a camera sees, as full angles in radians.
///
/// Each angle is the sum of the angles to the optical axis of the two outermost rays, so that it is
/// right beyond 180° too. An angle is nil where the lens model can't be inverted at the border.
public struct FieldOfView: Sendable, Hashable {
  /// From the left to the right border of the image, along the principal point's row.
  public var horizontal: Double?
  /// From the upper to the lower border of the image, along the principal point's column.
  public var vertical: Double?
  /// From corner to opposite corner of the image, the larger of the two diagonals.
  public var diagonal: Double?

  /// Creates a field of view from its angles in radians.
  public init(horizontal: Double?, vertical: Double?, diagonal: Double?) {
    self.horizontal = horizontal
    self.vertical = vertical
    self.diagonal = diagonal
  }
}

extension CameraParameters {
  /// The angles that the image's outer borders span, distortion included.
  ///
  /// The image ends at the outer borders of its pixels, −0.5 and width − 0.5 in the pixel-centre
  /// convention.
  public var fieldOfView: FieldOfView {
    let (left, top) = (-0.5, -0.5)
    let (right, bottom) = (Double(resolution.width) - 0.5, Double(resolution.height) - 0.5)
    let (cx, cy) = (intrinsics.cx, intrinsics.cy)
    let diagonals = [
      span(SIMD2(left, top), SIMD2(right, bottom)), span(SIMD2(right, top), SIMD2(left, bottom)),
    ]
    return FieldOfView(
      horizontal: span(SIMD2(left, cy), SIMD2(right, cy)),
      vertical: span(SIMD2(cx, top), SIMD2(cx, bottom)),
      diagonal: diagonals.contains(nil) ? nil : diagonals.compactMap { $0 }.max())
  }

  /// The sum of two pixels' angles to the optical axis.
  private func span(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double? {
    guard let first = angleToAxis(a), let second = angleToAxis(b) else { return nil }
    return first + second
  }

  /// The angle between the optical axis and the ray that a pixel sees, in radians.
  private func angleToAxis(_ pixel: SIMD2<Double>) -> Double? {
    unproject(pixel).map { atan2(($0.x * $0.x + $0.y * $0.y).squareRoot(), $0.z) }
  }
}
