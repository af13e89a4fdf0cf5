package import Boards

/// A board that was found in an image.
package struct DetectedBoard: Sendable, Hashable {
  /// The board that was looked for.
  package var board: ChessboardGeometry
  /// The inner corners in the order of `board.cornerPoints`, pixel-centre convention.
  package var corners: [SIMD2<Double>]
  /// The deviation of the Gaussian that blurs the edges near the corners, pixels: the median over the board.
  package var blurSigma: Double
  /// The corners that lie off what the others say, by more than refinement explains, as indices into
  /// `corners`: better left out of a calibration.
  package var doubtfulCorners: [Int]
  /// Which search found the board, for reports.
  package var finder: String

  /// Creates a board whose corners are known from elsewhere.
  package init(
    board: ChessboardGeometry, corners: [SIMD2<Double>], blurSigma: Double,
    doubtfulCorners: [Int], finder: String
  ) {
    self.board = board
    self.corners = corners
    self.blurSigma = blurSigma
    self.doubtfulCorners = doubtfulCorners
    self.finder = finder
  }
}

/// What a search for a board came to.
package enum ChessboardDetection: Sendable, Hashable {
  case found(DetectedBoard)
  /// No board, and why, in words that fit after "no board found: ".
  case notFound(reason: String)

  /// The board where found.
  package var board: DetectedBoard? {
    if case .found(let board) = self { board } else { nil }
  }
}
