internal import Boards
package import Imaging

extension ChessboardDetector {
  /// Where the corners of a board that was found in one image are in another, taken right before or
  /// after it.
  ///
  /// No search: each corner is refined from where it was, so this takes a fraction of the time of
  /// `detect`. A board that moved by more than about a third of a square is lost.
  ///
  /// - Returns: The corners in the order of `board.corners`, pixel-centre convention; nil for those
  ///   that have no sound fit there.
  /// - Throws: `OpenCVError` if the system refuses memory.
  package func follow(
    _ board: DetectedBoard, in image: GrayImage
  ) throws -> [SIMD2<Double>?] {
    let grid = CornerGrid(board)
    // Without the pattern there is nothing to refine, which takes longest where nothing is.
    guard abs(grid.patternShare(in: image, shift: SIMD2(), inset: 0.4)) > 0.35 else {
      return Array(repeating: nil, count: grid.points.count)
    }
    let refined = try grid.subPixel(in: image).fitted(in: image, blur: board.blurSigma)
    return zip(refined.grid.points, refined.isFitted).map { $1 ? $0 : nil }
  }
}
