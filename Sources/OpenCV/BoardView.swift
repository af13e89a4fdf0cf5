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

/// The cross product a × b.
func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
