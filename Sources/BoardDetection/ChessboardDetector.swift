package import Boards
package import Imaging

/// Finds a chessboard's inner corners in grey images.
///
/// A search runs through a plan of attempts, the quickest first, each in a child process with a bound
/// on its work, which is the same on every run, and a wide one on its CPU time; the whole, with the search
/// for a board of another size, is bounded by `Options.cpuSeconds(forPixels:)`. Found corners are put
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
    package var cpuSecondsSmall = 2 * slowness
    /// The same for larger images.
    package var cpuSecondsLarge = 4 * slowness

    // Under a sanitizer all takes many times as long, and the bound would decide what is found.
    #if SANITIZER
      private static let slowness = 10.0
    #else
      private static let slowness = 1.0
    #endif

    /// The part of it that is kept for `sightOtherBoard`.
    package static let shareForOtherBoards = 0.2
    /// The part that is kept for the start of processes, and for the kernel's ticks by which they end.
    private static let reserve = 0.05

    package init() {}

    /// The bound for an image of so many pixels.
    package func cpuSeconds(forPixels count: Int) -> Double {
      count <= 2_100_000 ? cpuSecondsSmall : cpuSecondsLarge
    }

    /// What the search for the board may take of it.
    func searchBudget(forPixels count: Int) -> SearchBudget {
      SearchBudget(
        left: (1 - Self.reserve - Self.shareForOtherBoards) * cpuSeconds(forPixels: count))
    }

    /// What the search for boards of other sizes may take of it.
    func otherBoardsBudget(forPixels count: Int) -> SearchBudget {
      SearchBudget(left: Self.shareForOtherBoards * cpuSeconds(forPixels: count))
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
    var search = BoardSearch(self, width: image.width, height: image.height)
    _ = try search.run(in: image, effort: options.effort, isCancelled: isCancelled)
    return search.answer
  }

  /// Whether the board has two pixels a square, either way up, and OpenCV's threshold the room that
  /// it asserts to have.
  func canHoldBoard(width: Int, height: Int) -> Bool {
    let squares = (min(board.columns, board.rows) + 1, max(board.columns, board.rows) + 1)
    return min(width, height) >= max(2 * squares.0, 16) && max(width, height) >= 2 * squares.1
  }

  /// What the checks make of corners that a finder returned.
  enum Judgement {
    case sound(DetectedBoard)
    /// A few corners lie off what the others say.
    case doubtful(DetectedBoard)
    case wrong(String)
  }

  /// Order, refinement and checks.
  func judge(_ found: CornerGrid, in image: GrayImage, finder: String) throws -> Judgement {
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
