package import Boards
package import Imaging
internal import OpenCV

/// Finds a chessboard's inner corners in grey images.
///
/// A search runs through a plan of attempts, the quickest first, each in a child process with a bound
/// on its work, which is the same on every run, and a wide one on its CPU time; the whole is bounded
/// by `Options.cpuSeconds(forPixels:)`. Found corners are put
/// into the board's own order, refined, and checked against what a chessboard can look like.
package struct ChessboardDetector: Sendable, Hashable {
  package let board: ChessboardGeometry
  package var options: Options

  /// How far a search goes down its plan: bounds of the work, the same on every machine.
  package enum Effort: Sendable, Hashable {
    /// The first attempts only, which find most boards that face the camera.
    case first
    /// The two quick finders, which between them find nearly all boards.
    case quick
    /// Everything.
    case whole
  }

  package struct Options: Sendable, Hashable {
    /// How far a search goes.
    package var effort = Effort.whole
    /// The bound on the CPU time of one image of up to 2 megapixels, seconds.
    package var cpuSecondsSmall = 2.0
    /// The same for larger images.
    package var cpuSecondsLarge = 4.0

    package init() {}

    /// The bound for an image of so many pixels.
    package func cpuSeconds(forPixels count: Int) -> Double {
      count <= 2_100_000 ? cpuSecondsSmall : cpuSecondsLarge
    }
  }

  /// Creates a detector of boards of at least 3x3 inner corners.
  package init(board: ChessboardGeometry, options: Options = Options()) {
    self.board = board
    self.options = options
  }

  /// Searches an image for the board.
  ///
  /// Several threads may search at once.
  ///
  /// - Parameter isCancelled: Asked between two attempts, each of which takes a second at the most as a
  ///   rule; then nothing is found.
  /// - Throws: `OpenCVError` if the system refuses memory or a process, or on an interrupt; that a
  ///   board is not found is no error.
  package func detect(
    in image: GrayImage, isCancelled: () -> Bool = { false }
  ) throws -> ChessboardDetection {
    guard board.columns >= 3, board.rows >= 3 else {
      return .notFound(reason: "a board needs at least 3x3 inner corners to be recognised")
    }
    guard Self.canHold(board, width: image.width, height: image.height) else {
      return .notFound(
        reason: "\(image.width)x\(image.height) pixels are too few for a "
          + "\(board.columns)x\(board.rows) board; use larger images")
    }
    var left = options.cpuSeconds(forPixels: image.width * image.height)
    var complaint: String?
    var timedOut = false
    var second: DetectedBoard?
    let plan = SearchPlan(board: board, width: image.width, height: image.height)
    for step in plan.steps(options.effort) {
      if isCancelled() { return .notFound(reason: "the search was given up") }
      var search: ChessboardSearch
      let name: String
      switch step {
      case .requireSaddles:
        // Half of the corners: a hand or a reflection may hide some from this count.
        let needed = board.cornerCount / 2
        guard SaddleCount(in: image, limit: needed).count >= needed else {
          return .notFound(reason: complaint ?? "nothing looks like the corners of a board")
        }
        continue
      case .requirePartOfABoard(let part):
        search = part
        search.cpuSeconds = min(search.cpuSeconds, left)
        guard search.cpuSeconds > 0.005, second == nil else { continue }
        let answer = try search.run(in: image)
        left -= answer.cpuSeconds
        guard case .notFound = answer.outcome else { continue }
        return .notFound(reason: complaint ?? "nothing looks like a part of a chessboard")
      case .search(let title, let request):
        (name, search) = (title, request)
      }
      search.cpuSeconds = min(search.cpuSeconds, left)
      guard search.cpuSeconds > 0.005 else { break }
      let answer = try search.run(in: image)
      left -= answer.cpuSeconds
      switch answer.outcome {
      case .found(let corners, let columns, let rows):
        let grid = CornerGrid(columns: columns, rows: rows, points: corners)
        switch try finish(grid, in: image, finder: name) {
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
    }
    if let second { return .found(second) }
    if let complaint { return .notFound(reason: complaint) }
    return .notFound(
      reason: timedOut
        ? "nothing that looks like the board within the time limit" : "nothing looks like the board"
    )
  }

  /// Whether the board has two pixels a square, either way up, and OpenCV's threshold the room that
  /// it asserts to have.
  private static func canHold(_ board: ChessboardGeometry, width: Int, height: Int) -> Bool {
    let squares = (min(board.columns, board.rows) + 1, max(board.columns, board.rows) + 1)
    return min(width, height) >= max(2 * squares.0, 16) && max(width, height) >= 2 * squares.1
  }

  /// What the checks make of corners that a finder returned.
  private enum Judgement {
    case sound(DetectedBoard)
    /// A few corners lie off what the others say.
    case doubtful(DetectedBoard)
    case wrong(String)
  }

  /// Order, refinement and checks.
  private func finish(_ found: CornerGrid, in image: GrayImage, finder: String) throws -> Judgement
  {
    if let complaint = GridConsistency(found, in: image).complaint { return .wrong(complaint) }
    guard let ordered = found.inBoardOrder(columns: board.columns, rows: board.rows, image: image)
    else { return .wrong("a board of another size") }
    let refined = try ordered.refined(in: image)
    if let complaint = GridConsistency(refined.grid, in: image).complaint {
      return .wrong(complaint)
    }
    if refined.hasEmptyBorder { return .wrong("an outer row of it shows no corners") }
    let result = DetectedBoard(
      board: board, corners: refined.grid.points, blurSigma: refined.blurSigma,
      doubtfulCorners: refined.outliers, finder: finder)
    if refined.outliers.isEmpty { return .sound(result) }
    // More than a fifth: the others do not say anything, either.
    return refined.outliers.count * 5 > board.cornerCount
      ? .wrong("the corners do not lie on a smooth grid") : .doubtful(result)
  }
}
