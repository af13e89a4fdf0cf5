/// A point of a plane moved by a radial factor and two tangential terms, with the derivatives: what
/// Brown–Conrady does to the image plane, and the spline to its map of angles.
@frozen
@usableFromInline
package struct RadialTangential {
  /// Where the point (x, y) goes.
  @usableFromInline package let distortedX, distortedY: Double
  /// The derivatives of where it goes by x and y; of x by y and of y by x they are the same.
  @usableFromInline package let xByX, xByY, yByY: Double
  @usableFromInline package let xy2, tangentialX, tangentialY: Double

  /// - Parameters:
  ///   - square: x² + y².
  ///   - factor: The radial factor there.
  ///   - slope: Its derivative by `square`.
  @inlinable
  @inline(__always)
  package init(
    x: Double, y: Double, square: Double, factor: Double, slope: Double, p1: Double, p2: Double
  ) {
    xy2 = 2 * x * y
    tangentialX = square + 2 * x * x
    tangentialY = square + 2 * y * y
    distortedX = x * factor + p1 * xy2 + p2 * tangentialX
    distortedY = y * factor + p1 * tangentialY + p2 * xy2
    xByX = factor + 2 * (x * x * slope + p1 * y + 3 * p2 * x)
    xByY = xy2 * slope + 2 * (p1 * x + p2 * y)
    yByY = factor + 2 * (y * y * slope + 3 * p1 * y + p2 * x)
  }

  /// Writes the columns of fx, fy, cx, cy and those of p1 and p2, which stand at 6 and 7.
  @inlinable
  @inline(__always)
  package func fill(
    _ u: UnsafeMutablePointer<Double>, _ v: UnsafeMutablePointer<Double>, fx: Double, fy: Double
  ) {
    fillIntrinsics(u, v, x: distortedX, y: distortedY)
    u[6] = fx * xy2
    u[7] = fx * tangentialX
    v[6] = fy * tangentialY
    v[7] = fy * xy2
  }
}
