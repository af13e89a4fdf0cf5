import Imaging
import OpenCV
import TestSupport
import Testing

@Suite struct ChessboardSearchTests {
  /// 0.5 px: the finders' own accuracy before refinement.
  @Test(arguments: ChessboardSearch.Finder.allCases, [1.0, 0.5, 2.0])
  func cornersAreFoundAtEveryScale(finder: ChessboardSearch.Finder, scale: Double) throws {
    let board = DrawnBoard()
    var search = ChessboardSearch(columns: 9, rows: 6, finder: finder)
    search.scale = scale
    search.cpuSeconds = 10
    let corners = try #require(try search.run(in: board.image).corners)
    #expect(corners.count == 54)
    for truth in board.corners {
      #expect((corners.map { distance($0, truth) }.min() ?? .infinity) < 0.5 / min(scale, 1))
    }
  }

  @Test func aRegionGivesPixelsOfTheWholeImage() throws {
    let board = DrawnBoard(origin: SIMD2(150, 100), width: 500, height: 400)
    var search = ChessboardSearch(columns: 9, rows: 6, finder: .classic)
    search.region = ChessboardSearch.Region(x: 90, y: 50, width: 350, height: 280)
    search.smoothing = 0.5
    search.stretchesContrast = true
    search.cpuSeconds = 10
    let corners = try #require(try search.run(in: board.image).corners)
    for truth in board.corners {
      #expect((corners.map { distance($0, truth) }.min() ?? .infinity) < 0.5)
    }
  }

  /// Under light that falls off, one threshold for the whole image fails; by local means the finder's
  /// first look is enough.
  @Test func localMeansFindABoardUnderUnevenLightAtOnce() throws {
    let board = DrawnBoard()
    var image = board.image
    for index in image.pixels.indices {
      let share = Double(index % image.width) / Double(image.width)
      image.pixels[index] = UInt8(Double(image.pixels[index]) * (1 - 0.95 * share))
    }
    var search = ChessboardSearch(columns: 9, rows: 6, finder: .classic)
    search.cpuSeconds = 10
    search.work = ChessboardSearch.workOfFirstSight + 0.5
    #expect(try search.run(in: image).outcome == .workLimit)
    search.binarizes = true
    search.options = []
    let corners = try #require(try search.run(in: image).corners)
    for truth in board.corners {
      #expect((corners.map { distance($0, truth) }.min() ?? .infinity) < 1)
    }
  }

  @Test func aLargerBoardTellsItsSize() throws {
    var search = ChessboardSearch(
      columns: 4, rows: 4, finder: .sectorBased, options: [.larger, .exhaustive])
    search.cpuSeconds = 10
    guard
      case .found(let corners, let columns, let rows) = try search.run(in: DrawnBoard().image)
        .outcome
    else {
      Issue.record("no board found")
      return
    }
    #expect(Set([columns, rows]) == [9, 6])
    #expect(corners.count == 54)
  }

  /// The bound on work, unlike one on time, ends a search at the same point on every run.
  @Test func workIsCountedAndBounded() throws {
    let drawn = DrawnBoard()
    // Another board than the one that is there: searched to the end.
    var search = ChessboardSearch(columns: 8, rows: 7, finder: .classic)
    search.cpuSeconds = 20
    let whole = try search.run(in: drawn.image)
    #expect(whole.outcome == .notFound)
    #expect(whole.work > 40 && whole.work < 80)
    #expect(try search.run(in: drawn.image).work == whole.work)
    search.work = whole.work - 0.5
    #expect(try search.run(in: drawn.image).outcome == .workLimit)
    search.work = whole.work + 0.5
    #expect(try search.run(in: drawn.image).outcome == .notFound)
    // What is found soon takes little of it, and the same at every size.
    search = ChessboardSearch(columns: 9, rows: 6, finder: .classic)
    search.work = 20
    search.scale = 2
    search.cpuSeconds = 20
    let found = try search.run(in: drawn.image)
    #expect(found.corners != nil && found.work > 1 && found.work < 20)
  }

  /// Pain 1: the classic finder runs for minutes on dark noise.
  @Test func aNoisyImageEndsAtTheLimit() throws {
    var generator = SystemRandomNumberGenerator()
    let pixels = (0..<1000 * 750).map { _ in UInt8.random(in: 0...10, using: &generator) }
    var search = ChessboardSearch(columns: 9, rows: 6, finder: .classic)
    search.cpuSeconds = 0.2
    let before = ChessboardSearch.cpuSecondsOfAll
    let answer = try search.run(in: GrayImage(width: 1000, height: 750, pixels: pixels))
    #expect(answer.outcome == .timeLimit)
    // The kernel's clock ticks add at most a few milliseconds.
    #expect(answer.cpuSeconds < 0.5)
    // Other tests search at the same time, so it may be more; both are sums that are rounded.
    #expect(ChessboardSearch.cpuSecondsOfAll - before >= answer.cpuSeconds - 1e-3)
  }

  @Test func whatOpenCVCannotDoIsAnError() {
    let image = DrawnBoard().image
    for (columns, rows) in [(2, 6), (9, 0), (-1, 6), (5000, 5000)] {
      let error = #expect(throws: OpenCVError.self) {
        try ChessboardSearch(columns: columns, rows: rows, finder: .classic).run(in: image)
      }
      #expect(error?.code == .invalidArgument)
    }
    var search = ChessboardSearch(columns: 9, rows: 6, finder: .classic)
    search.region = ChessboardSearch.Region(x: 300, y: 0, width: 200, height: 100)
    let error = #expect(throws: OpenCVError.self) { try search.run(in: image) }
    #expect(error?.code == .invalidArgument)
  }

  @Test func severalThreadsSearchAtOnce() async throws {
    let board = DrawnBoard()
    let image = board.image
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<24 {
        group.addTask {
          let search = ChessboardSearch(
            columns: 9, rows: 6, finder: index.isMultiple(of: 2) ? .classic : .sectorBased)
          let corners = try search.run(in: image).corners ?? []
          return try SubPixelRefinement.refine(
            corners, in: image, halfWindows: corners.map { _ in 8 }
          ).count
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 54, count: 24))
  }

  @Test func refinementReachesTheTruth() throws {
    let board = DrawnBoard()
    let start = board.corners.map { $0 + SIMD2(0.7, -0.6) }
    let refined = try SubPixelRefinement.refine(
      start, in: board.image, halfWindows: start.indices.map { 6 + $0 % 3 })
    // Edges without blur are the hardest for cornerSubPix: 0.09 px.
    for (a, b) in zip(refined, board.corners) { #expect(distance(a, b) < 0.12) }
    #expect(throws: OpenCVError.self) {
      try SubPixelRefinement.refine([SIMD2(-1, 5)], in: board.image, halfWindows: [5])
    }
    #expect(throws: OpenCVError.self) {
      try SubPixelRefinement.refine(start, in: board.image, halfWindows: [5])
    }
  }
}
