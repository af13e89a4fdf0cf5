internal import Boards
internal import OpenCV

/// The searches that an image gets, the quickest first.
struct SearchPlan: Sendable, Hashable {
  struct Attempt: Sendable, Hashable {
    /// For reports.
    var name: String
    var search: ChessboardSearch
  }

  private(set) var attempts: [Attempt] = []

  init(board: ChessboardGeometry, width: Int, height: Int) {
    // 6x9 is 9x6 to the finders; one way of asking gives one answer.
    let (columns, rows) = (max(board.columns, board.rows), min(board.columns, board.rows))
    let longSide = Double(max(width, height))
    func add(
      _ name: String, _ finder: ChessboardSearch.Finder, scale: Double = 1, smoothing: Double = 0,
      stretch: Bool = false, cpuSeconds: Double
    ) {
      var search = ChessboardSearch(columns: columns, rows: rows, finder: finder)
      search.scale = scale
      search.smoothing = smoothing
      search.stretchesContrast = stretch
      search.cpuSeconds = cpuSeconds
      attempts.append(Attempt(name: name, search: search))
    }
    if longSide > 1000 {
      add("classic, shrunk", .classic, scale: 800 / longSide, cpuSeconds: 0.15)
    }
    add("classic", .classic, cpuSeconds: 0.3)
    add("sector based", .sectorBased, scale: min(1, 1000 / longSide), cpuSeconds: 1)
  }
}
