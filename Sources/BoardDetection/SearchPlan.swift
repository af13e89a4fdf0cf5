internal import Boards
internal import OpenCV

/// The searches that an image gets, the quickest first.
///
/// Measured on 283 photographs: where the classic finder finds a board, it does so within the first 3
/// to 31 fillings of its working memory (`ChessboardSearch.work`) and 1–100 ms on 800 px a side; where
/// it finds none it goes on to 59. Smoothing makes it quicker on noise and texture. The sector-based
/// finder, exhaustive on an image of at most 800 px a side, finds nearly all of the rest in about 80 ms,
/// 350 where it finds nothing. What remains needs more of both, and is only tried where at least a part
/// of a board is seen.
///
/// Which search finds a board must not depend on what else the machine does: corners differ by a
/// millionth of a pixel with where their refinement starts. So searches end by their work. Their time
/// is a safety net, several times what they take even so, for dark noise and the like, in which the
/// classic finder would compare thousands of quadrangles with one another.
struct SearchPlan: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    case search(String, ChessboardSearch)
    /// Go on only if the image has enough saddles.
    case requireSaddles
    /// Go on only if some part of a chessboard is seen.
    case requirePartOfABoard(ChessboardSearch)

    fileprivate var isSectorBased: Bool {
      if case .search(_, let search) = self { search.finder == .sectorBased } else { false }
    }
  }

  private(set) var steps: [Step] = []

  /// The steps that a search goes through with so much effort.
  func steps(_ effort: ChessboardDetector.Effort) -> ArraySlice<Step> {
    let end =
      switch effort {
      case .first: steps.firstIndex(of: .requireSaddles) ?? steps.count
      case .quick: (steps.firstIndex(where: \.isSectorBased) ?? steps.count - 1) + 1
      case .whole: steps.count
      }
    return steps.prefix(end)
  }

  /// The searches of the other finder that come after the one of this name; none where it is not known.
  func searches(otherThan name: String) -> [(name: String, search: ChessboardSearch)] {
    let all = steps.compactMap { step -> (name: String, search: ChessboardSearch)? in
      if case .search(let name, let search) = step { (name, search) } else { nil }
    }
    guard let place = all.firstIndex(where: { $0.name == name }) else { return [] }
    return all[place...].filter { $0.search.finder != all[place].search.finder }
  }

  init(board: ChessboardGeometry, width: Int, height: Int) {
    // 6x9 is 9x6 to the finders; one way of asking gives one answer.
    let (columns, rows) = (max(board.columns, board.rows), min(board.columns, board.rows))
    let longSide = Double(max(width, height))
    func add(
      _ name: String, _ finder: ChessboardSearch.Finder, size: Double? = nil, scale: Double = 1,
      smoothing: Double = 0, stretch: Bool = false,
      options: ChessboardSearch.Options? = nil, work: Double? = nil, cpuSeconds: Double
    ) {
      var search = ChessboardSearch(columns: columns, rows: rows, finder: finder, options: options)
      search.scale = size.map { min(1, $0 / longSide) } ?? scale
      search.smoothing = smoothing
      search.stretchesContrast = stretch
      search.work = work
      search.cpuSeconds = cpuSeconds
      steps.append(.search(name, search))
    }
    func requirePart() {
      // 4x4 corners: foliage and tiles show 3x3 often enough.
      var search = ChessboardSearch(
        columns: min(4, columns), rows: min(4, rows), finder: .sectorBased,
        options: [.larger, .exhaustive])
      search.scale = min(1, 800 / longSide)
      search.cpuSeconds = 1
      steps.append(.requirePartOfABoard(search))
    }
    // One threshold over the whole image with a dilation at most, then one by local means: together they
    // find seven boards out of eight, in 1 to 3 ms on 800 px a side, where all dilations of the first take
    // ten times as long.
    func addFirstSight(size: Double? = nil) {
      add(
        "classic, at first sight", .classic, size: size,
        work: ChessboardSearch.workOfFirstSight + 0.5, cpuSeconds: 0.2)
      steps.append(
        .search(
          "classic, binarized",
          Self.binarized(columns: columns, rows: rows, width: width, height: height)))
    }
    // Thresholds over the whole image, then the first two adaptive ones with all their dilations.
    let quick = 32.0
    // Without the equalised histogram (which makes texture out of noise) the classic finder is quicker
    // and finds some boards that it misses with it; without the adaptive threshold it ends soon.
    if longSide > 1000 {
      addFirstSight(size: 800)
      add("classic, shrunk", .classic, size: 800, work: quick, cpuSeconds: 0.6)
      steps.append(.requireSaddles)
      add("sector based, shrunk", .sectorBased, size: 800, options: .exhaustive, cpuSeconds: 1)
      add("classic, global threshold", .classic, size: 2200, options: [], cpuSeconds: 0.5)
      requirePart()
      add(
        "classic, shrunk, not equalised", .classic, size: 1500, options: .adaptiveThreshold,
        work: quick, cpuSeconds: 0.8)
      add(
        "classic, not equalised", .classic, size: 2200, options: .adaptiveThreshold, work: 20,
        cpuSeconds: 1)
      add("classic, smoothed", .classic, size: 2200, smoothing: 1, work: 20, cpuSeconds: 0.8)
      add("sector based", .sectorBased, size: 2200, cpuSeconds: 1.5)
      add("classic, shrunk, long", .classic, size: 800, cpuSeconds: 1)
      add("classic", .classic, cpuSeconds: 4)
    } else {
      addFirstSight()
      add("classic", .classic, work: quick, cpuSeconds: 0.6)
      steps.append(.requireSaddles)
      add(
        "classic, not equalised", .classic, options: .adaptiveThreshold, work: quick,
        cpuSeconds: 0.6)
      add("sector based", .sectorBased, options: .exhaustive, cpuSeconds: 1)
      // Squares below about 10 px: the finders need more pixels than there are.
      let factor = longSide <= 400 ? 3.0 : 2.0
      if longSide <= 400 {
        add("classic, enlarged", .classic, scale: factor, work: quick, cpuSeconds: 0.6)
      }
      requirePart()
      add("classic, smoothed", .classic, smoothing: 1, work: quick, cpuSeconds: 0.6)
      add("classic, long", .classic, cpuSeconds: 1)
      add("classic, enlarged", .classic, scale: factor, work: quick, cpuSeconds: 1)
      add("sector based, enlarged", .sectorBased, scale: factor, cpuSeconds: 1)
      add("classic, stretched", .classic, stretch: true, work: quick, cpuSeconds: 1)
    }
  }

  /// The quick search by local means: of those that end soon it finds most boards, and next to never a
  /// part of a larger one.
  static func binarized(
    columns: Int, rows: Int, width: Int, height: Int
  ) -> ChessboardSearch {
    let longSide = Double(max(width, height))
    var search = ChessboardSearch(columns: columns, rows: rows, finder: .classic, options: [])
    search.scale = longSide > 1000 ? 800 / longSide : 1
    search.binarizes = true
    search.work = ChessboardSearch.workOfFirstSight + 1.5
    search.cpuSeconds = 0.2
    return search
  }
}
