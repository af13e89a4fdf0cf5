import BoardRendering
import Boards
import CameraModel
import Dispatch
import Glibc
import Imaging
import Testing

@testable import BoardDetection

let longTests = getenv("CAMERA_INTRINSICS_LONG_TESTS") != nil

@Suite struct DetectorTests {
  static let geometry = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.025)

  /// Rendered views of a 9x6 board.
  static func scenes(
    _ count: Int, size: Resolution = Resolution(width: 640, height: 480),
    ranges: PoseRanges = PoseRanges(), conditions: RenderingConditions = RenderingConditions(),
    lens: LensModel = .pinhole, seed: UInt64
  ) throws -> [BoardScene] {
    let camera = CameraParameters.example(lens, resolution: size)
    let board = PrintedBoard(columns: 9, rows: 6)
    return try BoardPose.random(count, camera: camera, board: board, ranges: ranges, seed: seed)
      .map { BoardScene(camera: camera, board: board, pose: $0, conditions: conditions) }
  }

  /// The largest distance of a corner from the truth in this order; nil if nothing was found.
  static func worstError(_ detection: ChessboardDetection, _ scene: BoardScene) -> Double? {
    guard let board = detection.board else { return nil }
    return zip(board.corners, scene.corners).map { corner, truth in
      truth.map { length(corner - $0) } ?? .infinity
    }.max()
  }

  @Test(
    "An image with no room for the board is not found for that reason, not because OpenCV asserts",
    arguments: [(1, 1), (9, 2), (14, 14), (15, 400), (400, 15), (21, 15), (19, 40)])
  func tinyImages(_ width: Int, _ height: Int) throws {
    let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    let image = GrayImage(width: width, height: height, pixels: pixels)
    for (columns, rows) in [(3, 3), (9, 6)] {
      let board = ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: 1)
      guard case .notFound(let reason) = try ChessboardDetector(board: board).detect(in: image)
      else {
        Issue.record("found")
        continue
      }
      #expect(!reason.contains("OpenCV"), "\(reason)")
    }
  }

  /// 0.01 px an axis: half of what cornerSubPix reaches; the bound at this noise is 0.004 px.
  @Test func cornersAreFoundToAHundredthOfAPixel() throws {
    var (sum, subPixelSum, count) = (0.0, 0.0, 0.0)
    for (index, scene) in try Self.scenes(longTests ? 30 : 3, seed: 11).enumerated() {
      let image = scene.image(noiseSeed: UInt64(index))
      let detection = try ChessboardDetector(board: Self.geometry).detect(in: image)
      let board = try #require(detection.board)
      let truth = scene.corners.compactMap { $0 }
      let subPixel = try CornerGrid(
        columns: 9, rows: 6, points: truth.map { $0 + SIMD2(0.2, -0.1) }
      )
      .subPixel(in: image)
      for index in truth.indices {
        let (a, b) = (board.corners[index] - truth[index], subPixel.points[index] - truth[index])
        sum += (a * a).sum()
        subPixelSum += (b * b).sum()
        count += 2
      }
      #expect(board.doubtfulCorners.isEmpty)
      // Blur 0.7 px; the tone curve widens edges by a tenth.
      #expect(abs(board.blurSigma - 0.75) < 0.15)
    }
    let (rms, subPixelRMS) = ((sum / count).squareRoot(), (subPixelSum / count).squareRoot())
    print("corner error: \(rms) px an axis, cornerSubPix \(subPixelRMS)")
    #expect(rms < 0.012)
    #expect(rms < 0.6 * subPixelRMS)
  }

  @Test func blurIsMeasured() throws {
    for blur in [1.5, 3.0] {
      var conditions = RenderingConditions()
      conditions.blurSigma = blur
      let scene = try #require(
        try Self.scenes(
          1, ranges: PoseRanges(cover: 0.6...0.75, tiltDegrees: 0...20), conditions: conditions,
          seed: 3
        ).first)
      let board = try #require(
        try ChessboardDetector(board: Self.geometry).detect(in: scene.image(noiseSeed: 1)).board)
      // The tone curve makes edges look up to an eighth wider.
      #expect(board.blurSigma > 0.9 * blur && board.blurSigma < 1.25 * blur)
    }
  }

  /// Pains 4 and 13: small squares, small images.
  ///
  /// The sides of the squares, in pixels, are about cover · width / 10.
  @Test(arguments: [(160, 120, 0.75), (320, 240, 0.3), (640, 480, 0.16), (640, 480, 0.3)])
  func smallSquaresAreFound(width: Int, height: Int, cover: Double) throws {
    let scenes = try Self.scenes(
      longTests ? 20 : 3, size: Resolution(width: width, height: height),
      ranges: PoseRanges(cover: cover...(cover * 1.1), tiltDegrees: 0...25), seed: 5)
    var missed: [String] = []
    for (index, scene) in scenes.enumerated() {
      let detection = try ChessboardDetector(board: Self.geometry)
        .detect(in: scene.image(noiseSeed: UInt64(index)))
      if let error = Self.worstError(detection, scene) {
        #expect(error < 0.5, "view \(index)")
      } else {
        missed.append("view \(index): \(detection)")
      }
    }
    // One in twenty of the smallest is beyond both of OpenCV's finders at every scale that is tried.
    #expect(missed.count <= scenes.count / 20, "\(missed)")
  }

  /// Pain 7: strongly tilted boards, where the sector-based finder returns wrong corners.
  @Test func tiltedBoardsAreRightOrRejected() throws {
    let scenes = try Self.scenes(
      longTests ? 40 : 4, size: Resolution(width: 640, height: 480),
      ranges: PoseRanges(cover: 0.5...0.9, tiltDegrees: 65...80), seed: 7)
    for (index, scene) in scenes.enumerated() {
      let detection = try ChessboardDetector(board: Self.geometry)
        .detect(in: scene.image(noiseSeed: UInt64(index)))
      guard let board = detection.board else { continue }
      for (corner, truth) in zip(board.corners, scene.corners).enumerated().filter({
        !board.doubtfulCorners.contains($0.offset)
      }).map(\.element) {
        #expect(length(corner - (truth ?? SIMD2())) < 1, "view \(index)")
      }
    }
  }

  /// Pain 20: `9x6` and `6x9` are the same board.
  @Test func aSwappedBoardHasTheSameCorners() throws {
    let scene = try #require(try Self.scenes(1, seed: 9).first)
    let image = scene.image(noiseSeed: 1)
    let swapped = ChessboardGeometry(columns: 6, rows: 9, squareSizeMetres: 0.025)
    let a = try #require(try ChessboardDetector(board: Self.geometry).detect(in: image).board)
    let b = try #require(try ChessboardDetector(board: swapped).detect(in: image).board)
    for point in a.corners {
      // Refined in another order, from the same start: only the guess of the blur differs.
      #expect((b.corners.map { length($0 - point) }.min() ?? .infinity) < 1e-3)
    }
    let grid = CornerGrid(columns: 6, rows: 9, points: b.corners)
    #expect(!grid.isMirrored)
  }

  /// Pain 18: squares counted instead of corners, or one row short.
  @Test(arguments: [(10, 7), (8, 6), (9, 5), (9, 7), (10, 6), (5, 4), (12, 9)])
  func aWrongBoardIsExplained(columns: Int, rows: Int) throws {
    let scene = try #require(
      try Self.scenes(1, ranges: PoseRanges(cover: 0.6...0.7, tiltDegrees: 0...20), seed: 13).first)
    let image = scene.image(noiseSeed: 1)
    let detector = ChessboardDetector(
      board: ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: 0.025))
    if columns == 10 { #expect(try detector.detect(in: image).board == nil) }
    let suggestion = try detector.suggestBoard(in: image)
    #expect(suggestion?.description == "9x6 inner corners (10x7 squares)")
  }

  /// The ends of the outer squares are no row of corners.
  @Test(arguments: [(9, 7), (10, 6)])
  func aRowTooManyIsNotFound(columns: Int, rows: Int) throws {
    let detector = ChessboardDetector(
      board: ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: 0.025))
    let ranges = PoseRanges(cover: 0.5...0.7, tiltDegrees: 0...30)
    for (index, scene) in try Self.scenes(6, ranges: ranges, seed: 23).enumerated() {
      let detection = try detector.detect(in: scene.image(noiseSeed: UInt64(index)))
      #expect(detection.board == nil, "view \(index)")
    }
  }

  /// Pain 1: dark noise holds the classic finder up for minutes.
  @Test(
    arguments: [(160, 120), (500, 375), (1000, 750)]
      + (longTests ? [(1920, 1080), (4000, 3000)] : []))
  func noiseIsRejectedSoon(width: Int, height: Int) throws {
    var random = SeededGenerator(seed: 4)
    let tile = (0..<65_536).map { _ in UInt8(clamping: Int((4 + 3 * random.normal()).rounded())) }
    // Rows of one long tile at random places: as good as fresh noise, and quick to make.
    var pixels: [UInt8] = []
    for _ in 0..<height {
      let start = random.index(below: tile.count - width)
      pixels += tile[start..<start + width]
    }
    let image = GrayImage(width: width, height: height, pixels: pixels)
    let start = DispatchTime.now().uptimeNanoseconds
    let detection = try ChessboardDetector(board: Self.geometry).detect(in: image)
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) * 1e-9
    #expect(detection.board == nil)
    // 0.1–0.3 s of CPU when optimised; unoptimised and on a loaded machine much longer.
    #expect(seconds < 30)
  }

  /// Squares all over hold up every finder, and each of the boards that are tried instead.
  @Test(arguments: [(12, 1920, 1080), (40, 1920, 1080), (9, 640, 480)])
  func squaresAllOverKeepTheBoundOfTime(side: Int, width: Int, height: Int) throws {
    var random = SeededGenerator(seed: 5)
    let noise = (0..<4096).map { _ in 3 * random.normal() }
    var pixels: [UInt8] = []
    for y in 0..<height {
      let start = random.index(below: noise.count - width)
      for x in 0..<width {
        let level = (x / side + y / side) % 2 == 0 ? 60.0 : 190
        pixels.append(UInt8(level + noise[start + x]))
      }
    }
    let image = GrayImage(width: width, height: height, pixels: pixels)
    let detector = ChessboardDetector(board: Self.geometry)
    var search = BoardSearch(detector, width: width, height: height)
    let first = search.budget.left
    _ = try search.run(in: image, effort: .whole, isCancelled: { false })
    var budget = detector.options.otherBoardsBudget(forPixels: width * height)
    let second = budget.left
    _ = try detector.sightOtherBoard(in: image, within: &budget, isCancelled: { false })
    print("squares of \(side) px: \(first - search.budget.left) s, \(second - budget.left) s")
    #expect(first + second <= detector.options.cpuSecondsSmall)
    // A piece of our own work that was begun is ended: a few milliseconds when optimised.
    let most = detector.options.cpuSecondsSmall / 4
    #expect(search.budget.left > -most)
    #expect(budget.left > -most)
  }

  @Test func fisheyeViewsAreFound() throws {
    let scenes = try Self.scenes(
      3, ranges: PoseRanges(cover: 0.4...0.6, tiltDegrees: 0...30), lens: .fisheye, seed: 15)
    for (index, scene) in scenes.enumerated() {
      let detection = try ChessboardDetector(board: Self.geometry)
        .detect(in: scene.image(noiseSeed: UInt64(index)))
      if let error = Self.worstError(detection, scene) { #expect(error < 0.2) }
    }
  }

  @Test func tinyImagesAndBoardsAreNoError() throws {
    let detector = ChessboardDetector(board: Self.geometry)
    for (width, height) in [(1, 1), (3, 2), (16, 16), (40, 8)] {
      let image = GrayImage(
        width: width, height: height, pixels: [UInt8](repeating: 9, count: width * height))
      #expect(try detector.detect(in: image).board == nil)
    }
    let small = ChessboardGeometry(columns: 2, rows: 6, squareSizeMetres: 0.025)
    let image = GrayImage(width: 64, height: 64, pixels: [UInt8](repeating: 9, count: 4096))
    #expect(try ChessboardDetector(board: small).detect(in: image).board == nil)
  }
}
