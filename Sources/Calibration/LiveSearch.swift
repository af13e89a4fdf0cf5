import BoardDetection
import Boards
import CalibrationSolver
import Frames
import Imaging

/// A frame that is looked at.
struct LiveLook: Sendable {
  var delivery: FrameMailbox.Delivery
  /// Its picture.
  var image: GrayImage

  /// The frame's number.
  var frame: Int { delivery.frame.index }
}

/// A search for the board in one frame, beside the thread that looks at the frames.
struct LiveSearch {
  /// The frame that is searched.
  let look: LiveLook
  /// The board that was followed into the frame, where it was: the search then confirms a view.
  let followed: DetectedBoard?
  private let task: BackgroundTask<Answer>

  /// What a search came to.
  struct Answer: Sendable {
    /// The board; nil where there is none.
    var board: DetectedBoard?
    /// The calibration with the board's view added, where it was confirmed and fits.
    var fit: QuickFit?
  }

  /// Begins a search.
  ///
  /// - Parameters:
  ///   - followed: The board that was followed into the frame, where this is to confirm a view.
  ///   - fit: The calibration that the view is then added to.
  init(
    _ look: LiveLook, followed: DetectedBoard?, _ detector: ChessboardDetector,
    effort: ChessboardDetector.Effort, fit: QuickFit
  ) {
    self.look = look
    self.followed = followed
    var detector = detector
    detector.options.effort = effort
    task = BackgroundTask { [detector] isCancelled in
      let board = try detector.detect(in: look.image, isCancelled: isCancelled).board
      guard let board, let followed, Self.agree(followed, board) else {
        return Answer(board: board)
      }
      var grown = fit
      let fits = grown.add(board.observed(on: board.board.cornerPoints))
      return Answer(board: board, fit: fits ? grown : nil)
    }
  }

  /// Whether a board was found where it was followed to.
  static func agree(_ followed: DetectedBoard, _ found: DetectedBoard) -> Bool {
    ViewSelection.distance(followed.corners, found.corners) < 0.5
  }

  /// What it came to; waits for that up to `milliseconds`, and is nil until then.
  func answer(milliseconds: Int) -> Result<Answer, any Error>? {
    task.answer(milliseconds: milliseconds)
  }
}
