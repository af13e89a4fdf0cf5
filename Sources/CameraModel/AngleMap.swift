import Glibc

/// A direction on a map whose radius is its angle θ from the axis, with the derivatives: what
/// Kannala–Brandt and the spline distort.
///
/// The place is (x, y)·w with w = θ/r, r = √(x² + y²); with ρ² = r² + z² and c = (z/ρ² − w)/r² its
/// derivatives are ∂(x·w)/∂x = w + x²·c, ∂(x·w)/∂y = x·y·c and ∂(x·w)/∂z = −x/ρ².
package struct AngleMap {
  /// θ.
  package let angle: Double
  /// ρ².
  package let distance2: Double
  /// w.
  package let angleByRadius: Double
  /// c.
  package let curvature: Double

  /// nil at the camera itself and on the backward axis.
  @inlinable
  @inline(__always)
  package init?(x: Double, y: Double, z: Double) {
    let radius2 = x * x + y * y
    let radius = radius2.squareRoot()
    guard radius > 0 || z > 0 else { return nil }
    distance2 = radius2 + z * z
    angle = atan2(radius, z)
    // Near the axis w and c go to their limits; the difference would lose all digits there.
    if z > 0 && radius < 1e-4 * z {
      angleByRadius = (1 - radius2 / (3 * z * z)) / z
      curvature = -2 / (3 * z * z * z)
    } else {
      angleByRadius = angle / radius
      curvature = (z / distance2 - angleByRadius) / radius2
    }
  }
}
