internal import Boards
package import Imaging
internal import OpenCV

/// One image's way through a `SearchPlan`, which can be left after the quick steps and gone on with
/// later.
package struct BoardSearch: Sendable {
  let detector: ChessboardDetector
  private let plan: SearchPlan
  /// The next step of the plan.
  private var place = 0
  /// What is left of the CPU time.
  private(set) var budget: SearchBudget
  private var complaint: String?
  private var timedOut = false
  /// A board of which a few corners are in doubt.
  private var second: DetectedBoard?
  /// How the search ended, if it has.
  private var ending: ChessboardDetection?

  /// Prepares the search of an image of a size.
  package init(_ detector: ChessboardDetector, width: Int, height: Int) {
    self.detector = detector
    plan = SearchPlan(board: detector.board, width: width, height: height)
    budget = detector.options.searchBudget(forPixels: width * height)
    if detector.board.columns < 3 || detector.board.rows < 3 {
      ending = .notFound(reason: "a board needs at least 3x3 inner corners to be recognised")
    } else if !detector.canHoldBoard(width: width, height: height) {
      ending = .notFound(
        reason: "\(width)x\(height) pixels are too few for a "
          + "\(detector.board.columns)x\(detector.board.rows) board; use larger images")
    }
  }

  /// What is known now: the answer, or what it would be if the search went no further.
  package var answer: ChessboardDetection {
    if let ending { return ending }
    if let second { return .found(second) }
    if let complaint { return .notFound(reason: complaint) }
    return .notFound(
      reason: timedOut
        ? "nothing that looks like the board within the time limit" : "nothing looks like the board"
    )
  }

  /// Goes on with the search, in the image that it was prepared for.
  ///
  /// - Parameters:
  ///   - effort: How far to go in all.
  ///   - isCancelled: As `ChessboardDetector.detect`.
  /// - Returns: Whether the answer is settled: going further would not change it.
  /// - Throws: As `ChessboardDetector.detect`.
  package mutating func run(
    in image: GrayImage, effort: ChessboardDetector.Effort, isCancelled: () -> Bool
  ) throws -> Bool {
    let end = plan.steps(effort).endIndex
    while ending == nil, place < end {
      if isCancelled() {
        ending = .notFound(reason: "the search was given up")
        break
      }
      let step = plan.steps[place]
      place += 1
      var budget = budget
      ending = try budget.spend { try answer(to: step, in: image, &$0) }
      self.budget = budget
    }
    return ending != nil || place >= plan.steps.count
  }

  /// The board of another size that the image shows, as `ChessboardDetector.sightOtherBoard`; before the
  /// search is at its end, of whose time it takes a half at the most.
  package mutating func sightOtherBoard(
    in image: GrayImage, seen: [BoardSuggestion], isCancelled: () -> Bool
  ) throws -> BoardSighting? {
    try budget.lend {
      try detector.sightOtherBoard(in: image, seen: seen, within: &$0, isCancelled: isCancelled)
    }
  }

  /// Takes a step; nil if the search goes on.
  private mutating func answer(
    to step: SearchPlan.Step, in image: GrayImage, _ budget: inout SearchBudget
  ) throws -> ChessboardDetection? {
    let board = detector.board
    switch step {
    case .requireSaddles:
      // Half of the corners: a hand or a reflection may hide some from this count.
      let needed = board.cornerCount / 2
      return SaddleCount(in: image, limit: needed).count >= needed
        ? nil : .notFound(reason: complaint ?? "nothing looks like the corners of a board")
    case .requirePartOfABoard(let part):
      guard second == nil, let answer = try budget.run(part, in: image),
        case .notFound = answer.outcome
      else { return nil }
      return .notFound(reason: complaint ?? "nothing looks like a part of a chessboard")
    case .search(let name, let request):
      guard let answer = try budget.run(request, in: image) else {
        // Without time nothing follows.
        place = plan.steps.count
        return nil
      }
      switch answer.outcome {
      case .found(let corners, let columns, let rows):
        let grid = CornerGrid(columns: columns, rows: rows, points: corners)
        switch try detector.judge(grid, in: image, finder: name) {
        case .sound(let board): return .found(board)
        case .doubtful(let board):
          // The other finder may do better; if not, this is the answer.
          if let other = second {
            return .found(board.doubtfulCorners.count < other.doubtfulCorners.count ? board : other)
          }
          second = board
        case .wrong(let reason): complaint = complaint ?? reason
        }
      case .notFound, .workLimit: break
      case .timeLimit: timedOut = true
      case .failed(let message): complaint = complaint ?? "OpenCV failed: \(message)"
      }
      return nil
    }
  }
}
