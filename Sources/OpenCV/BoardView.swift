internal import Glibc

/// The points of a board in one image.
package struct BoardView: Sendable, Hashable {
  /// Board coordinates, any unit of length.
  package var boardPoints: [SIMD3<Double>]
  /// Where each of them appears, pixel-centre convention.
  package var pixels: [SIMD2<Double>]

  package init(boardPoints: [SIMD3<Double>], pixels: [SIMD2<Double>]) {
    self.boardPoints = boardPoints
    self.pixels = pixels
  }
}

/// Where a board is in a camera's frame: cameraFromBoard.
package struct BoardPose: Sendable, Hashable {
  /// The rotation vector, radians.
  package var rotation: SIMD3<Double>
  /// The translation, in the unit of the board points.
  package var translation: SIMD3<Double>

  package init(rotation: SIMD3<Double>, translation: SIMD3<Double>) {
    self.rotation = rotation
    self.translation = translation
  }

  /// A board point in the camera's frame.
  package func callAsFunction(_ point: SIMD3<Double>) -> SIMD3<Double> {
    // Rodrigues' formula: v cosθ + (a × v) sinθ + a (a·v)(1 − cosθ).
    let angle = (rotation * rotation).sum().squareRoot()
    guard angle > 1e-12 else { return point + cross(rotation, point) + translation }
    let axis = rotation / angle
    let (sine, cosine) = (sin(angle), cos(angle))
    return point * cosine + cross(axis, point) * sine
      + axis * ((axis * point).sum() * (1 - cosine)) + translation
  }
}

/// The cross product a × b.
func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
