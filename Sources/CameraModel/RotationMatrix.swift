import Glibc

/// A rotation as three rows.
package struct RotationMatrix: Sendable {
  /// The rows, top to bottom.
  package var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// Creates a matrix from its rows; the caller answers for their being a rotation.
  package init(rows r0: SIMD3<Double>, _ r1: SIMD3<Double>, _ r2: SIMD3<Double>) {
    rows = (r0, r1, r2)
  }

  /// exp of a rotation vector (Rodrigues).
  package init(rotationVector w: SIMD3<Double>) {
    let angle2 = w.x * w.x + w.y * w.y + w.z * w.z
    // sin θ/θ and (1 − cos θ)/θ²; below 1e-4 the series are exact to the last digit.
    let a: Double
    let b: Double
    if angle2 < 1e-8 {
      a = 1 - angle2 / 6
      b = 0.5 - angle2 / 24
    } else {
      let angle = angle2.squareRoot()
      let half = sin(angle / 2)
      a = sin(angle) / angle
      b = 2 * half * half / angle2
    }
    let (x, y, z) = (w.x, w.y, w.z)
    rows = (
      SIMD3(1 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y),
      SIMD3(b * x * y + a * z, 1 - b * (x * x + z * z), b * y * z - a * x),
      SIMD3(b * x * z - a * y, b * y * z + a * x, 1 - b * (x * x + y * y))
    )
  }

  /// The rotation vector, its angle in 0…π; by way of the quaternion, which stays exact near π.
  package var rotationVector: SIMD3<Double> {
    let (r0, r1, r2) = rows
    let trace = r0.x + r1.y + r2.z
    var w: Double
    var v: SIMD3<Double>
    if trace > 0 {
      let s = (trace + 1).squareRoot() * 2
      w = s / 4
      v = SIMD3(r2.y - r1.z, r0.z - r2.x, r1.x - r0.y) / s
    } else if r0.x >= r1.y, r0.x >= r2.z {
      let s = max(0, 1 + r0.x - r1.y - r2.z).squareRoot() * 2
      w = (r2.y - r1.z) / s
      v = SIMD3(s / 4, (r0.y + r1.x) / s, (r0.z + r2.x) / s)
    } else if r1.y >= r2.z {
      let s = max(0, 1 + r1.y - r0.x - r2.z).squareRoot() * 2
      w = (r0.z - r2.x) / s
      v = SIMD3((r0.y + r1.x) / s, s / 4, (r1.z + r2.y) / s)
    } else {
      let s = max(0, 1 + r2.z - r0.x - r1.y).squareRoot() * 2
      w = (r1.x - r0.y) / s
      v = SIMD3((r0.z + r2.x) / s, (r1.z + r2.y) / s, s / 4)
    }
    if w < 0 {
      w = -w
      v = -v
    }
    let length = (v * v).sum().squareRoot()
    guard length > 1e-12 else { return v * 2 }
    return v * (2 * atan2(length, w) / length)
  }

  /// The angle between the third column (the board's normal) and the optical axis, radians, 0…π/2.
  package var tilt: Double {
    acos(min(1, abs(rows.2.z)))
  }

  package static func * (m: RotationMatrix, p: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((m.rows.0 * p).sum(), (m.rows.1 * p).sum(), (m.rows.2 * p).sum())
  }

  package static func * (a: RotationMatrix, b: RotationMatrix) -> RotationMatrix {
    func row(_ r: SIMD3<Double>) -> SIMD3<Double> {
      b.rows.0 * r.x + b.rows.1 * r.y + b.rows.2 * r.z
    }
    return RotationMatrix(rows: row(a.rows.0), row(a.rows.1), row(a.rows.2))
  }
}
