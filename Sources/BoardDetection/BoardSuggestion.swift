internal import Boards
package import Imaging
internal import OpenCV

/// A chessboard of another size than asked for.
package struct BoardSuggestion: Sendable, Hashable {
  /// Inner corners along the longer side.
  package var columns: Int
  /// Inner corners along the shorter side.
  package var rows: Int

  /// Creates a size from the numbers of inner corners both ways, in either order.
  package init(columns: Int, rows: Int) {
    self.columns = max(columns, rows)
    self.rows = min(columns, rows)
  }
}

extension BoardSuggestion: CustomStringConvertible {
  /// For example `9x6 inner corners (10x7 squares)`.
  package var description: String {
    "\(columns)x\(rows) inner corners (\(columns + 1)x\(rows + 1) squares)"
  }
}

/// A chessboard of another size than asked for, as one image shows it.
package struct BoardSighting: Sendable, Hashable {
  /// Its size.
  package var board: BoardSuggestion
  /// Whether it can be seen on all four sides where the board ends; else it may be larger.
  package var endsAreSeen: Bool

  /// Creates what an image shows.
  package init(board: BoardSuggestion, endsAreSeen: Bool) {
    self.board = board
    self.endsAreSeen = endsAreSeen
  }
}

extension ChessboardDetector {
  /// The size of the board that the image shows, where it is not the one that was looked for.
  ///
  /// Silent where it can't be seen on all four sides where the board ends: a wrong size would lead
  /// further astray than none.
  ///
  /// - Parameter isCancelled: Asked between two searches; true ends them without an answer.
  /// - Throws: As `detect`.
  package func suggestBoard(
    in image: GrayImage, isCancelled: () -> Bool = { false }
  ) throws -> BoardSuggestion? {
    try sightOtherBoard(in: image, isCancelled: isCancelled).flatMap {
      $0.endsAreSeen ? $0.board : nil
    }
  }

  /// The board that the image shows, where it is not the one that was looked for, as far as it can be
  /// seen.
  ///
  /// For images in which `detect` found nothing: people count squares instead of corners, or miss a row.
  /// Takes 30 ms of CPU time where it is one of those or one that was seen before, some 0.2 s where no
  /// board is seen, and `Options.shareForOtherBoards` of an image's CPU time whatever it shows.
  ///
  /// - Parameters:
  ///   - seen: Sizes that other images of the same source show, looked for first.
  ///   - isCancelled: Asked between two searches; true ends them without an answer.
  /// - Throws: As `detect`.
  package func sightOtherBoard(
    in image: GrayImage, seen: [BoardSuggestion] = [], isCancelled: () -> Bool = { false }
  ) throws -> BoardSighting? {
    var budget = options.otherBoardsBudget(forPixels: image.width * image.height)
    return try sightOtherBoard(in: image, seen: seen, within: &budget, isCancelled: isCancelled)
  }

  func sightOtherBoard(
    in image: GrayImage, seen: [BoardSuggestion] = [], within budget: inout SearchBudget,
    isCancelled: () -> Bool
  ) throws -> BoardSighting? {
    guard image.width >= 16, image.height >= 16 else { return nil }
    return try budget.spend { try otherBoard(in: image, seen, &$0, isCancelled) }
  }

  private func otherBoard(
    in image: GrayImage, _ seen: [BoardSuggestion], _ budget: inout SearchBudget,
    _ isCancelled: () -> Bool
  ) throws -> BoardSighting? {
    let sizes = OtherSizes(columns: board.columns, rows: board.rows, seen: seen)
    for step in sizes.steps {
      if isCancelled() { return nil }
      guard let part = try part(step, in: image, &budget) else { continue }
      if let sighting = try sighting(of: part, in: image) { return isOther(sighting) }
    }
    return nil
  }

  /// What a search finds within what is left of an image's time; nil where that is nothing.
  private func part(
    _ step: OtherSizes.Step, in image: GrayImage, _ budget: inout SearchBudget
  ) throws -> CornerGrid? {
    switch step {
    case .size(let size):
      // The quick search finds a board of the size that it is asked for, and ends soon.
      let search = SearchPlan.binarized(
        columns: size.columns, rows: size.rows, width: image.width, height: image.height)
      guard let found = try budget.run(search, in: image)?.corners else { return nil }
      return CornerGrid(columns: size.columns, rows: size.rows, points: found)
    case .largest(let isExhaustive):
      // The finder enlarges a seed of 3x3 corners.
      var search = ChessboardSearch(
        columns: 3, rows: 3, finder: .sectorBased,
        options: isExhaustive ? [.larger, .exhaustive] : .larger)
      search.scale = min(1, 800 / Double(max(image.width, image.height)))
      search.cpuSeconds = 1
      guard case .found(let corners, let c, let r) = try budget.run(search, in: image)?.outcome
      else { return nil }
      return CornerGrid(columns: c, rows: r, points: corners)
    }
  }

  /// Whether a board that was found is a part of a larger one: another row of corners follows.
  package func isPart(_ found: DetectedBoard, in image: GrayImage) -> Bool {
    var grid = CornerGrid(found)
    for _ in 0..<4 {
      if case .corners = grid.beyondLastRow(in: image) { return true }
      grid = grid.quarterTurn
    }
    return false
  }

  /// The board of which `part` is a part; nil where it does not hold what a board does.
  private func sighting(of part: CornerGrid, in image: GrayImage) throws -> BoardSighting? {
    guard part.columns * part.rows >= 12, GridConsistency(part, in: image).complaint == nil,
      let grown = try part.subPixel(in: image).grown(in: image)
    else { return nil }
    let refined = try grown.grid.refined(in: image)
    guard GridConsistency(refined.grid, in: image).complaint == nil, !refined.hasEmptyBorder,
      refined.outliers.count * 5 <= grown.grid.points.count
    else { return nil }
    return BoardSighting(
      board: BoardSuggestion(columns: grown.grid.columns, rows: grown.grid.rows),
      endsAreSeen: grown.endsAreSeen)
  }

  private func isOther(_ sighting: BoardSighting) -> BoardSighting? {
    let asked = BoardSuggestion(columns: board.columns, rows: board.rows)
    return sighting.board == asked ? nil : sighting
  }
}

/// The sizes that a board may have instead of the one asked for.
struct OtherSizes: Sendable, Hashable {
  /// A search for a board.
  enum Step: Sendable, Hashable {
    /// One of this size.
    case size(BoardSuggestion)
    /// The largest grid around what is found.
    case largest(isExhaustive: Bool)
  }

  /// First what was seen before and what differs by one in each direction, then the largest grid that can be
  /// seen, then the usual sizes.
  ///
  /// The largest come first: a part of a board may be taken for a smaller one, hardly ever for a larger one. Each
  /// of the many usual sizes costs time, in an image of hundreds of squares as much as the search for the largest
  /// grid.
  var steps: [Step]

  /// The sizes that boards on sale, in tutorials and in data sets have, the most frequent first.
  private static let usual = [
    (9, 6), (8, 6), (7, 6), (8, 5), (7, 5), (9, 7), (6, 4), (11, 8), (10, 7), (7, 7), (6, 5),
    (5, 4), (8, 7), (11, 7), (12, 8), (12, 9), (7, 4), (13, 9), (14, 10), (9, 8), (9, 5), (6, 6),
    (4, 3),
  ]

  init(columns: Int, rows: Int, seen: [BoardSuggestion] = []) {
    let asked = BoardSuggestion(columns: columns, rows: rows)
    var near: [BoardSuggestion] = []
    for dc in -1...1 {
      for dr in -1...1 {
        let size = BoardSuggestion(columns: asked.columns + dc, rows: asked.rows + dr)
        if size.rows >= 3, size != asked, !near.contains(size) { near.append(size) }
      }
    }
    near.sort { ($0.columns * $0.rows, $0.columns) > ($1.columns * $1.rows, $1.columns) }
    let others = Self.usual.map { BoardSuggestion(columns: $0, rows: $1) }
    let first = seen.filter { $0 != asked } + near.filter { !seen.contains($0) }
    steps =
      first.map(Step.size) + [.largest(isExhaustive: false)]
      + others.filter { $0 != asked && !first.contains($0) }.map(Step.size)
      + [.largest(isExhaustive: true)]
  }
}
