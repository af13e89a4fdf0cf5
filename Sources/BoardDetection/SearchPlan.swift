internal import Boards
internal import OpenCV

/// The searches that an image gets, the quickest first.
///
/// Measured on 283 photographs: the classic finder needs 2–60 ms where a board is, and without limit
/// where none is; smoothing makes it quicker on noise and texture. The sector-based finder, exhaustive
/// on an image of at most 800 px a side, finds nearly all of the rest in about 100 ms, whatever the
/// image shows. What remains needs more of both, and is only tried where at least a part of a board is
/// seen.
struct SearchPlan: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    case search(String, ChessboardSearch)
    /// Go on only if the image has enough saddles.
    case requireSaddles
    /// Go on only if some part of a chessboard is seen.
    case requirePartOfABoard(ChessboardSearch)
  }

  private(set) var steps: [Step] = []

  init(board: ChessboardGeometry, width: Int, height: Int) {
    // 6x9 is 9x6 to the finders; one way of asking gives one answer.
    let (columns, rows) = (max(board.columns, board.rows), min(board.columns, board.rows))
    let longSide = Double(max(width, height))
    func add(
      _ name: String, _ finder: ChessboardSearch.Finder, size: Double? = nil, scale: Double = 1,
      smoothing: Double = 0, stretch: Bool = false, options: ChessboardSearch.Options? = nil,
      cpuSeconds: Double
    ) {
      var search = ChessboardSearch(columns: columns, rows: rows, finder: finder, options: options)
      search.scale = size.map { $0 / longSide } ?? scale
      search.smoothing = smoothing
      search.stretchesContrast = stretch
      search.cpuSeconds = cpuSeconds
      steps.append(.search(name, search))
    }
    func requirePart() {
      // 4x4 corners: foliage and tiles show 3x3 often enough.
      var search = ChessboardSearch(
        columns: min(4, columns), rows: min(4, rows), finder: .sectorBased,
        options: [.larger, .exhaustive])
      search.scale = min(1, 800 / longSide)
      search.cpuSeconds = 0.5
      steps.append(.requirePartOfABoard(search))
    }
    // Without the equalised histogram (which makes texture out of noise) the classic finder is quicker
    // and finds some boards that it misses with it; without the adaptive threshold it ends soon.
    if longSide > 1000 {
      add("classic, shrunk", .classic, size: 800, cpuSeconds: 0.12)
      steps.append(.requireSaddles)
      add("sector based, shrunk", .sectorBased, size: 800, options: .exhaustive, cpuSeconds: 0.4)
      add("classic, global threshold", .classic, options: [], cpuSeconds: 0.1)
      requirePart()
      add("classic, not equalised", .classic, options: .adaptiveThreshold, cpuSeconds: 0.5)
      add(
        "classic, shrunk, not equalised", .classic, size: min(longSide, 1500),
        options: .adaptiveThreshold, cpuSeconds: 0.25)
      add("classic, smoothed", .classic, smoothing: 1, cpuSeconds: 0.25)
      add("sector based", .sectorBased, cpuSeconds: 1.5)
      add("classic, shrunk, long", .classic, size: 800, cpuSeconds: 0.5)
      add("classic", .classic, cpuSeconds: 4)
    } else {
      add("classic", .classic, cpuSeconds: 0.12)
      steps.append(.requireSaddles)
      add("classic, not equalised", .classic, options: .adaptiveThreshold, cpuSeconds: 0.12)
      add("sector based", .sectorBased, options: .exhaustive, cpuSeconds: 0.4)
      // Squares below about 10 px: the finders need more pixels than there are.
      let factor = longSide <= 400 ? 3.0 : 2.0
      if longSide <= 400 { add("classic, enlarged", .classic, scale: factor, cpuSeconds: 0.15) }
      requirePart()
      add("classic, smoothed", .classic, smoothing: 1, cpuSeconds: 0.15)
      add("classic, long", .classic, cpuSeconds: 0.5)
      add("classic, enlarged", .classic, scale: factor, cpuSeconds: 0.3)
      add("sector based, enlarged", .sectorBased, scale: factor, cpuSeconds: 0.6)
      add("classic, stretched", .classic, stretch: true, cpuSeconds: 0.5)
    }
  }
}
