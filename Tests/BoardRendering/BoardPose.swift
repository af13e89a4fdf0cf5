import Glibc

/// Where a board stands before a camera: cameraFromBoard, X_camera = R(rotation) X_board + translation.
package struct BoardPose: Sendable, Hashable {
  /// The rotation vector: axis times angle in radians.
  package var rotation: SIMD3<Double>
  /// The board's origin, its first inner corner, in the camera frame, metres.
  package var translation: SIMD3<Double>

  /// Creates a pose from a rotation vector (radians) and a translation (metres).
  package init(rotation: SIMD3<Double>, translation: SIMD3<Double>) {
    self.rotation = rotation
    self.translation = translation
  }

  /// The same pose with its rotation worked out, for transforming many points.
  package var transform: RigidTransform {
    RigidTransform(rotation: BoardRotation(rotationVector: rotation), translation: translation)
  }
}

/// A rotation followed by a translation.
package struct RigidTransform: Sendable {
  package var rotation: BoardRotation
  package var translation: SIMD3<Double>

  package func callAsFunction(_ point: SIMD3<Double>) -> SIMD3<Double> {
    rotation * point + translation
  }
}

/// A 3x3 rotation matrix, by rows.
package struct BoardRotation: Sendable {
  package var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// Rodrigues' formula: R = I + sin θ K + (1 − cos θ) K², K the cross-product matrix of the axis.
  package init(rotationVector v: SIMD3<Double>) {
    let angle = (v * v).sum().squareRoot()
    guard angle > 1e-14 else {
      rows = (SIMD3(1, -v.z, v.y), SIMD3(v.z, 1, -v.x), SIMD3(-v.y, v.x, 1))
      return
    }
    let k = v / angle
    let (s, c) = (sin(angle), 1 - cos(angle))
    rows = (
      SIMD3(1 - c * (k.y * k.y + k.z * k.z), c * k.x * k.y - s * k.z, c * k.x * k.z + s * k.y),
      SIMD3(c * k.x * k.y + s * k.z, 1 - c * (k.x * k.x + k.z * k.z), c * k.y * k.z - s * k.x),
      SIMD3(c * k.x * k.z - s * k.y, c * k.y * k.z + s * k.x, 1 - c * (k.x * k.x + k.y * k.y))
    )
  }

  package init(rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)) {
    self.rows = rows
  }

  package static func * (m: BoardRotation, v: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((m.rows.0 * v).sum(), (m.rows.1 * v).sum(), (m.rows.2 * v).sum())
  }

  package static func * (a: BoardRotation, b: BoardRotation) -> BoardRotation {
    func row(_ r: SIMD3<Double>) -> SIMD3<Double> {
      b.rows.0 * r.x + b.rows.1 * r.y + b.rows.2 * r.z
    }
    return BoardRotation(rows: (row(a.rows.0), row(a.rows.1), row(a.rows.2)))
  }

  /// The rotation vector of this matrix, its angle in 0…π.
  package var rotationVector: SIMD3<Double> {
    // By way of the unit quaternion, from its largest component, which is stable at every angle.
    let (r0, r1, r2) = rows
    let trace = r0.x + r1.y + r2.z
    var w: Double
    var v: SIMD3<Double>
    if trace >= max(r0.x, r1.y, r2.z) {
      w = 1 + trace
      v = SIMD3(r2.y - r1.z, r0.z - r2.x, r1.x - r0.y)
    } else if r0.x >= max(r1.y, r2.z) {
      w = r2.y - r1.z
      v = SIMD3(1 + r0.x - r1.y - r2.z, r1.x + r0.y, r0.z + r2.x)
    } else if r1.y >= r2.z {
      w = r0.z - r2.x
      v = SIMD3(r1.x + r0.y, 1 - r0.x + r1.y - r2.z, r2.y + r1.z)
    } else {
      w = r1.x - r0.y
      v = SIMD3(r0.z + r2.x, r2.y + r1.z, 1 - r0.x - r1.y + r2.z)
    }
    if w < 0 { (w, v) = (-w, -v) }
    let length = (v * v).sum().squareRoot()
    guard length > 0 else { return SIMD3() }
    return v * (2 * atan2(length, w) / length)
  }
}
