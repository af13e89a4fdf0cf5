import BoardRendering
import Boards
import CalibrationSolver
import CameraModel
import Glibc
import Testing

@testable import Calibration

@Suite("Advice for the next view")
struct LiveAdviceTests {
  static let board = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.025)
  static let camera = CameraParameters.example(.pinhole)

  /// A fit to the exact corners of a board in random poses.
  static func fit(_ count: Int, seed: UInt64, ranges: PoseRanges = PoseRanges()) throws -> QuickFit
  {
    let views = try SyntheticViews(
      camera: camera, board: PrintedBoard(columns: 9, rows: 6), count: count, ranges: ranges,
      seed: seed)
    var fit = QuickFit(
      board: board, resolution: camera.resolution,
      options: CalibrationOptions(board: board, squareSizeIsKnown: true, jobs: 1))
    for view in views.noisy(sigma: 0.1, seed: seed) {
      let isAdded = fit.add(ObservedView(boardPoints: view.boardPoints, pixels: view.pixels))
      #expect(isAdded)
    }
    return fit
  }

  @Test("A shift, a turn about the board's middle and a change of scale are each seen in full")
  func movement() {
    let corners = (0..<54).map { SIMD2(Double($0 % 9) * 30, Double($0 / 9) * 30) }
    func moved(_ map: (SIMD2<Double>) -> SIMD2<Double>) -> Double {
      Movement(from: corners, to: corners.map { map($0) }).pixels
    }
    let centre = SIMD2<Double>(120, 75)
    // The rim: the distance of a corner of the grid from its middle.
    let rim = (120.0 * 120 + 75 * 75).squareRoot()
    #expect(moved { $0 } == 0)
    #expect(abs(moved { $0 + SIMD2(0.3, 0.4) } - 0.5) < 1e-12)
    #expect(abs(moved { $0 + ($0 - centre) * 0.002 } - 0.002 * rim) < 1e-9)
    let turned = moved { p in
      let arm = p - centre
      return p + SIMD2(-arm.y, arm.x) * 0.003
    }
    #expect(abs(turned - 0.003 * rim) < 1e-9)
    // Too few corners seen again say nothing.
    let few = corners.indices.map { $0 < 20 ? corners[$0] : nil }
    #expect(Movement(from: corners, to: few).pixels == .infinity)
    #expect(Movement(from: [], to: []).pixels == .infinity)
  }

  @Test("The words for a tilt say which edge is farther away", arguments: 1..<5)
  func tilts(tilt: Int) throws {
    let place = HoldingPlace(column: 1, row: 1, size: 1, tilt: tilt)
    let pose = try #require(place.pose(of: Self.board, before: Self.camera))
    func depth(_ column: Int, _ row: Int) -> Double {
      pose(Self.board.cornerPoints[row * 9 + column]).z
    }
    let name = HoldingPlace.tilts[tilt].name
    let farther: Double
    switch true {
    case name.contains("upper"): farther = depth(4, 0) - depth(4, 5)
    case name.contains("lower"): farther = depth(4, 5) - depth(4, 0)
    case name.contains("left"): farther = depth(0, 2) - depth(8, 2)
    default: farther = depth(8, 2) - depth(0, 2)
    }
    #expect(farther > 0.02)
  }

  @Test("The words for a place say where the board is in the image")
  func places() throws {
    for place in HoldingPlace.all {
      guard let pose = place.pose(of: Self.board, before: Self.camera) else { continue }
      let pixels = Self.board.cornerPoints.compactMap { Self.camera.project(pose($0)) }
      let middle = pixels.reduce(SIMD2<Double>()) { $0 + $1 } / Double(pixels.count)
      #expect(pixels.count == 54)
      let share = middle / SIMD2(640, 480)
      let sentence = place.sentence
      // The word "left" also names an edge of the board.
      let position = sentence.prefix { $0 != "," }
      #expect(position.contains("left") == (share.x < 0.44), "\(sentence) \(share)")
      #expect(position.contains("right") == (share.x > 0.56), "\(sentence) \(share)")
      #expect(
        (position.contains("upper") || position.contains("top")) == (share.y < 0.44),
        "\(sentence) \(share)")
      #expect(
        (position.contains("lower") || position.contains("bottom")) == (share.y > 0.56),
        "\(sentence) \(share)")
    }
  }

  @Test("What a view is predicted to leave of the variance is what it leaves")
  func prediction() throws {
    let fit = try Self.fit(4, seed: 3)
    let place = try #require(LiveAdvice.best(fit, Self.board))
    let solution = try #require(fit.solution)
    let problem = try #require(fit.problem)
    let next = try #require(NextView(after: solution, of: problem))
    let pose = try #require(place.pose(of: Self.board, before: solution.camera))
    let predicted = try #require(next.share(leftBy: Self.board.cornerPoints, at: pose, weight: 1))
    // The same view taken by the true camera.
    var grown = fit
    let pixels = Self.board.cornerPoints.compactMap { Self.camera.project(pose($0)) }
    let isAdded = grown.add(ObservedView(boardPoints: Self.board.cornerPoints, pixels: pixels))
    #expect(isAdded)
    func meanVariance(_ fit: QuickFit) throws -> Double {
      let solution = try #require(fit.solution)
      let covariance = try ParameterCovariance(solution)
      let grid = ProjectionUncertainty(solution, covariance: covariance)
      return grid.sigma.reduce(0) { $0 + ($1 ?? 0) * ($1 ?? 0) } / solution.variance
    }
    let found = try meanVariance(grown) / meanVariance(fit)
    // The figures differ by the larger eigenvalue against the trace, and by the moved solution.
    #expect(predicted < 0.9)
    #expect(abs(found / predicted - 1) < 0.35, "predicted \(predicted), found \(found)")
  }

  @Test(
    "Boards that always face the camera get the advice to tilt; corners without a view are named")
  func advice() throws {
    let flat = try Self.fit(
      5, seed: 4, ranges: PoseRanges(cover: 0.4...0.5, tiltDegrees: 0...1, rollDegrees: 0...2))
    let tilt = try #require(LiveAdvice.best(flat, Self.board))
    #expect(tilt.tilt != 0, "\(tilt.sentence)")
    // Following the advice beats what a random view does, in every case that was drawn.
    let solution = try #require(flat.solution)
    let problem = try #require(flat.problem)
    let next = try #require(NextView(after: solution, of: problem))
    let pose = try #require(tilt.pose(of: Self.board, before: solution.camera))
    let advised = try #require(next.share(leftBy: Self.board.cornerPoints, at: pose, weight: 1))
    let random = try BoardPose.random(
      20, camera: Self.camera, board: PrintedBoard(columns: 9, rows: 6), seed: 8)
    let shares = random.compactMap {
      next.share(
        leftBy: Self.board.cornerPoints,
        at: Pose(rotation: $0.rotation, translation: $0.translation), weight: 1)
    }.sorted()
    #expect(shares.count == 20)
    #expect(advised <= shares[3], "\(advised) against \(shares)")
  }

  @Test("Who follows the advice knows the camera sooner than who does not")
  func following() throws {
    var random = SeededGenerator(seed: 5)
    // The first view as it comes, four more as advised, with the noise of real corners.
    var fit = try Self.fit(1, seed: 6)
    for _ in 0..<4 {
      let place = try #require(LiveAdvice.best(fit, Self.board))
      let camera = try #require(fit.solution?.camera)
      let pose = try #require(place.pose(of: Self.board, before: camera))
      let pixels = Self.board.cornerPoints.map { point in
        let noise = SIMD2(random.normal(), random.normal()) * 0.1
        return (Self.camera.project(pose(point)) ?? SIMD2()) + noise
      }
      let isAdded = fit.add(ObservedView(boardPoints: Self.board.cornerPoints, pixels: pixels))
      #expect(isAdded)
    }
    let advised = try #require(fit.p90)
    let others = try (1...8).map { try Self.fit(5, seed: $0).p90 ?? .infinity }.sorted()
    #expect(advised < others[3], "\(advised) px against \(others) px")
  }

  @Test("From one view on there is a solution, and no figure that the views alone do not give")
  func fewViews() throws {
    for count in 1...5 {
      let fit = try Self.fit(count, seed: 12)
      let camera = try #require(fit.solution?.camera)
      #expect(abs(camera.intrinsics.fx / Self.camera.intrinsics.fx - 1) < 0.4)
      #expect((fit.p90 != nil) == (count >= QuickFit.fewestAlone))
    }
  }

  @Test("A fisheye and a telephoto are found from their first views, too")
  func otherLenses() throws {
    let board = PrintedBoard(columns: 9, rows: 6)
    var tele = CameraParameters.example(.pinhole)
    tele.intrinsics.fx *= 3
    tele.intrinsics.fy *= 3
    let wide = CameraParameters.example(.fisheye)
    for (camera, lens) in [
      (wide, LensModel?.some(.fisheye)), (tele, .pinhole), (wide, nil), (tele, nil),
    ] {
      var options = CalibrationOptions(board: Self.board, squareSizeIsKnown: true, jobs: 1)
      options.lensModel = lens
      var fit = QuickFit(board: Self.board, resolution: camera.resolution, options: options)
      let views = try SyntheticViews(camera: camera, board: board, count: 6, seed: 2)
      for view in views.noisy(sigma: 0.1, seed: 2) {
        let isAdded = fit.add(ObservedView(boardPoints: view.boardPoints, pixels: view.pixels))
        #expect(isAdded)
      }
      let found = try #require(fit.solution?.camera.intrinsics)
      #expect(
        abs(found.fx / camera.intrinsics.fx - 1) < 0.05, "\(lens?.rawValue ?? "auto") \(found.fx)")
    }
  }
}
