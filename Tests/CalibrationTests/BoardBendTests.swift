import BoardRendering
import Boards
import CalibrationSolver
import CalibrationStore
import CameraModel
import Glibc
import Testing

@testable import Calibration

@Suite("Boards that are not flat")
struct BoardBendTests {
  /// 240 mm from the first to the last inner corner of a row.
  static let geometry = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.03)

  /// What a bend over the whole sheet is over the corners alone, from the edges of the corner field.
  static func overCorners(_ board: PrintedBoard) -> SIMD2<Double> {
    let sheet = board.sheet
    let share = SIMD2(
      Double(board.geometry.columns - 1) / (sheet.maxX - sheet.minX),
      Double(board.geometry.rows - 1) / (sheet.maxY - sheet.minY))
    return board.bend * share * share
  }

  /// A board whose corners are bent by this much.
  static func board(_ bend: SIMD2<Double>) -> PrintedBoard {
    var board = PrintedBoard(geometry)
    board.bend = SIMD2(1, 1)
    board.bend = bend / overCorners(board)
    return board
  }

  @Test("Rendered frames of a board bent by half a millimetre: fx is right with it, wrong without")
  func rendered() throws {
    let camera = CameraParameters.example(.pinhole)
    let bend = SIMD2(0.0005, 0.0005)
    let board = Self.board(bend)
    let poses = try BoardPose.random(16, camera: camera, board: board, seed: 21)
    let source = RenderedSource(
      poses.map { BoardScene(camera: camera, board: board, pose: $0) })
    var session = SessionTests.session(Self.geometry)
    let record = try session.run(source).record
    session.options.takesBoardForFlat = true
    let flat = try session.run(source).record
    func score(_ record: IntrinsicsRecord) throws -> Double {
      try abs(record.camera.intrinsics.fx - camera.intrinsics.fx)
        / #require(record.standardDeviations["fx"])
    }
    let (right, wrong) = (try score(record), try score(flat))
    print("measured fx off by \(right) deviations with the bend, by \(wrong) without")
    #expect(right < 3)
    // 3.3 measured: views that disagree widen the deviations that are stated. More views and sharper
    // corners show more, see the solver's tests.
    #expect(wrong > 2.8)
    let found = try #require(record.board?.bend)
    #expect(abs(found.x - bend.x) < 3.5 * found.deviationX)
    #expect(abs(found.y - bend.y) < 3.5 * found.deviationY)
    #expect(record.held["bend"] == nil)
    #expect(flat.board?.bend == nil)
    #expect(flat.held["bend"] == "held at 0: the board is taken for flat (--no-bend)")
    // A bend that is modelled is no disagreement of views.
    let (with, without) = (
      try #require(record.reprojectionError?.sigma), try #require(flat.reprojectionError?.sigma)
    )
    #expect(with < without)
    #expect(try IntrinsicsRecord(jsonBytes: Array(record.jsonText().utf8)) == record)
  }

  private func points(
    _ board: PrintedBoard, count: Int, ranges: PoseRanges = PoseRanges(), seed: UInt64 = 31
  ) throws -> (views: [ObservedView], camera: CameraParameters) {
    let camera = CameraParameters.example(.pinhole)
    let truth = try SyntheticViews(
      camera: camera, board: board, count: count, ranges: ranges, seed: seed)
    return (
      truth.noisy(sigma: 0.1, seed: seed).map {
        ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels)
      }, camera
    )
  }

  private func fitting(
    _ views: [ObservedView], _ camera: CameraParameters, _ geometry: ChessboardGeometry = geometry
  ) -> LensFitting {
    LensFitting(
      views, resolution: camera.resolution,
      CalibrationOptions(board: geometry, squareSizeIsKnown: true, jobs: 1))
  }

  @Test(
    "A view that only a flat board did not explain comes back with the bend; a wrong one does not")
  func readmitted() throws {
    let (views, camera) = try points(Self.board(SIMD2(0.0012, 0)), count: 14)
    var fitting = fitting(views, camera)
    let whole = try fitting.fit(sample: Array(views.indices))
    let left = 5
    var problem = whole.selection.problem
    problem.views = views
    problem.views.remove(at: left)
    problem.poses.remove(at: left)
    let members = views.indices.filter { $0 != left }
    let robust = try RobustFit(fitting, problem, members: members, dropped: [left: "far off"])
    let again = try fitting.readmitting(robust)
    #expect(again.members == Array(views.indices) && again.dropped.isEmpty)
    for point in views[left].pixels.indices {
      let angle = Double(point)
      fitting.views[left].pixels[point] += SIMD2(3 * sin(angle), 2 * cos(angle))
    }
    let without = try fitting.readmitting(robust)
    #expect(without.members == members && without.dropped == [left: "far off"])
  }

  @Test("Estimated where the views tell it; held by the prior where they do not")
  func whenEstimated() throws {
    let (many, camera) = try points(Self.board(SIMD2(0.0002, 0)), count: 16)
    let known = try fitting(many, camera).fit(sample: Array(many.indices))
    #expect(known.selection.problem.shape?.prior == nil)
    let bend = try #require(known.solution.bend)
    #expect(bend.half == SIMD2(0.12, 0.075))
    let deviations = try #require(ParameterCovariance(known.solution).bendDeviations)
    #expect(deviations.max() < 0.00005)

    let (few, _) = try points(
      Self.board(SIMD2()), count: 8, ranges: PoseRanges(cover: 0.2...0.25, tiltDegrees: 0...10))
    let held = try fitting(few, camera).fit(sample: Array(few.indices))
    let prior = try #require(held.selection.problem.shape?.prior)
    #expect(abs(prior.deviation - 0.0003) < 1e-12 && prior.mean == 0)
    #expect(try #require(ParameterCovariance(held.solution).bendDeviations).max() < 0.00035)
    // Five views do not tell whether they agree.
    let five = try fitting(Array(many.prefix(5)), camera).fit(sample: Array(0..<5))
    #expect(five.selection.problem.shape?.prior != nil)
  }

  @Test(
    "Where views disagree the prior counts for more, and a bend is never known worse than by it")
  func disagreement() throws {
    // A board that is bent otherwise in every view, as paper held in two hands; hardly tilted.
    let ranges = PoseRanges(cover: 0.3...0.5, tiltDegrees: 0...25)
    let sets = try [-0.0008, 0, 0.0008].map { bend in
      try points(Self.board(SIMD2(bend, bend)), count: 9, ranges: ranges, seed: 35)
    }
    let camera = sets[0].camera
    let views = (0..<9).map { sets[$0 % 3].views[$0] }
    var fitting = fitting(views, camera)
    fitting.keepsOutliers = true
    let fit = try fitting.fit(sample: Array(views.indices))
    let prior = try #require(fit.selection.problem.shape?.prior)
    #expect(prior.emphasis > 2)
    let deviations = try #require(ParameterCovariance(fit.solution).bendDeviations)
    #expect(deviations.max() < 1.1 * prior.deviation)
    let bend = try #require(fit.solution.bend).sagitta
    #expect(max(abs(bend.x), abs(bend.y)) < 3 * prior.deviation)
  }

  @Test("In squares where their size is not known, with the same camera")
  func inSquares() throws {
    let (views, camera) = try points(Self.board(SIMD2(0.0004, -0.0003)), count: 12)
    let metres = try fitting(views, camera).fit(sample: Array(views.indices))
    let inSquares = views.map { view in
      var view = view
      view.boardPoints = view.boardPoints.map { $0 / 0.03 }
      return view
    }
    let unit = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 1)
    let squares = try fitting(inSquares, camera, unit).fit(sample: Array(views.indices))
    let (a, b) = (metres.solution, squares.solution)
    #expect(abs(a.camera.intrinsics.fx - b.camera.intrinsics.fx) < 1e-3)
    let (first, second) = (try #require(a.bend).sagitta, try #require(b.bend).sagitta * 0.03)
    #expect(abs(first.x - second.x) < 1e-8 && abs(first.y - second.y) < 1e-8)
  }

  @Test("A flat board's fx and fy are known as well, within a tenth")
  func flatBoard() throws {
    let (views, camera) = try points(Self.board(SIMD2()), count: 16, seed: 33)
    var fitting = fitting(views, camera)
    let bent = try ParameterCovariance(fitting.fit(sample: Array(views.indices)).solution)
    fitting.shape = nil
    let flat = try ParameterCovariance(fitting.fit(sample: Array(views.indices)).solution)
    for name in ["fx", "fy"] {
      let growth =
        try #require(bent.standardDeviations[name]) / #require(flat.standardDeviations[name])
      print("measured \(name): deviation \(growth) times as large with a bend")
      #expect(growth < 1.1)
    }
  }

  @Test("A board that looks the same turned by 90° has one bend for both directions")
  func square() throws {
    let square = ChessboardGeometry(columns: 8, rows: 8, squareSizeMetres: 0.025)
    let shape = try #require(BendKnowledge.shape(square))
    #expect(shape.bend.isRound)
    #expect(try #require(BendKnowledge.shape(Self.geometry)).bend.isRound == false)
  }
}
