import BoardRendering
import Boards
import CalibrationSolver
import CalibrationStore
import CameraModel
import CornerTables
import Testing

@testable import Calibration

/// `--solver opencv`: OpenCV's own answer beside ours.
@Suite("OpenCV's answer")
struct OpenCVAnswerTests {
  private static let board = PrintedBoard(columns: 9, rows: 6)

  /// A calibration from points alone, by both solvers.
  private func results(
    _ lensModel: LensModel, seed: UInt64,
    _ change: (inout CalibrationOptions) throws -> Void = { _ in },
    deviations: [Double]? = nil
  ) throws -> (own: CalibrationSession.Result, opencv: CalibrationSession.Result) {
    // Every other image stands upright.
    let resolution =
      seed % 2 == 0
      ? Resolution(width: 1280, height: 720) : Resolution(width: 720, height: 1280)
    let truth = try SyntheticViews(
      camera: .example(lensModel, resolution: resolution), board: Self.board,
      count: 12 + Int(seed), seed: 60 + seed)
    let table = CornerTable(
      views: truth.noisy(sigma: 0.2, seed: seed).enumerated().compactMap { index, view in
        guard view.pixels.count == Self.board.geometry.cornerCount else { return nil }
        // calibrateCamera takes single precision: both get the same numbers.
        let pixels = view.pixels.map { SIMD2(Double(Float($0.x)), Double(Float($0.y))) }
        return CornerTable.View(source: "\(index)", pixels: pixels, deviations: deviations)
      }, resolution: resolution)
    let identity = IntrinsicsRecord.DeviceIdentity(
      id: DeviceID(rawValue: "name:test"), name: "test", identifiedBy: "given name")
    func run(_ solver: CalibrationOptions.Solver) throws -> CalibrationSession.Result {
      var options = CalibrationOptions(
        board: Self.board.geometry, squareSizeIsKnown: true, jobs: 1)
      options.lensModel = lensModel
      options.takesBoardForFlat = true
      try change(&options)
      options.solver = solver
      try options.checkSolver()
      return try CalibrationSession(
        options: options, tool: "test", created: UTCTime(secondsSince1970: 0)
      ).run(table, identity: identity)
    }
    return (try run(.own), try run(.opencv))
  }

  @Test(arguments: [LensModel.pinhole, .rational, .fisheye])
  func sameMinimumAsOurs(lensModel: LensModel) throws {
    for seed in UInt64(0)..<3 {
      let (own, opencv) = try results(lensModel, seed: seed)
      try expectSame(own.record, opencv.record, "\(lensModel) \(seed)")
      // It is OpenCV's, not ours: other arithmetic gives other last digits.
      #expect(own.record.camera != opencv.record.camera)
      #expect(opencv.notices.contains { $0.hasPrefix("OpenCV ") }, "\(opencv.notices)")
      #expect(opencv.record.held["bend"]?.contains("--no-bend") == true)
    }
  }

  @Test("What is fixed stays where it is, in OpenCV, too")
  func fixed() throws {
    let constraints = try ConstraintTests.constraints(
      fix: [("centre", nil), ("p1", 0.001), ("p2", -0.0005), ("k1", -0.2)])
    let (own, opencv) = try results(.pinhole, seed: 2) {
      $0.constraints = constraints
      $0.coefficientCount = 5
    }
    try expectSame(own.record, opencv.record, "fixed")
    let square = try results(.pinhole, seed: 2) {
      $0.constraints = try ConstraintTests.constraints(squarePixels: true)
    }
    try expectSame(square.own.record, square.opencv.record, "square pixels")
    #expect(
      abs(square.opencv.record.camera.intrinsics.fx - square.opencv.record.camera.intrinsics.fy)
        < 1e-9)
  }

  @Test("All points count alike, and the bend is none: both are said")
  func whatItDoesNotKnow() throws {
    let deviations = (0..<54).map { $0 % 5 == 0 ? 2.0 : 1.0 }
    let (_, opencv) = try results(
      .pinhole, seed: 0, { $0.takesBoardForFlat = false }, deviations: deviations)
    #expect(opencv.notices.contains { $0.contains("all points alike") }, "\(opencv.notices)")
    #expect(opencv.record.held["bend"]?.contains("--solver opencv") == true)
    #expect(opencv.points.views.allSatisfy { $0.deviations == nil })
  }

  @Test("What OpenCV cannot do is refused, and the option is named")
  func refused() throws {
    func option(_ change: (inout CalibrationOptions) throws -> Void) throws -> String? {
      var options = CalibrationOptions(board: Self.board.geometry, squareSizeIsKnown: true, jobs: 1)
      options.solver = .opencv
      try change(&options)
      do throws(ConstraintError) {
        try options.checkSolver()
        return nil
      } catch {
        return error.option
      }
    }
    #expect(try option { _ in } == nil)
    #expect(try option { $0.lensModel = .spline } == "--solver")
    #expect(try option { $0.lensModel = nil } == "--solver")
    #expect(try option { $0.coefficientCount = 3 } == "--coefficients")
    #expect(
      try option { $0.constraints = try ConstraintTests.constraints(prior: [("fx", 900, 10)]) }
        == "--prior")
    #expect(
      try option { $0.constraints = try ConstraintTests.constraints(fix: [("cx", nil)]) } == "--fix"
    )
    #expect(
      try option {
        $0.lensModel = .fisheye
        $0.constraints = try ConstraintTests.constraints(squarePixels: true, lensModel: .fisheye)
      } == "--square-pixels")
  }

  /// Each parameter within a thousandth of its deviation, each pose and figure to match.
  private func expectSame(
    _ own: IntrinsicsRecord, _ opencv: IntrinsicsRecord, _ name: Comment
  ) throws {
    #expect(own.views.map(\.used) == opencv.views.map(\.used), name)
    #expect(Set(own.standardDeviations.keys) == Set(opencv.standardDeviations.keys), name)
    for (parameter, (ours, theirs)) in zip(
      own.camera.lensModel.parameterNames,
      zip(own.camera.parameterVector, opencv.camera.parameterVector))
    {
      let deviation = own.standardDeviations[parameter]
      // What is held is equal.
      #expect(
        abs(ours - theirs) <= deviation.map { 1e-3 * $0 } ?? 1e-12,
        "\(name) \(parameter): \(ours), OpenCV \(theirs) ± \(deviation ?? 0)")
      if let deviation, let other = opencv.standardDeviations[parameter] {
        #expect(abs(other / deviation - 1) < 0.01, "\(name) \(parameter)")
      }
    }
    let (mine, other) = try (
      #require(own.reprojectionError), #require(opencv.reprojectionError)
    )
    #expect(mine.rms <= other.rms * (1 + 1e-9) && other.rms < mine.rms * (1 + 1e-6), name)
    let (held, otherHeld) = try (#require(mine.heldOutSigma), #require(other.heldOutSigma))
    #expect(abs(otherHeld / held - 1) < 1e-3, name)
    for (one, two) in zip(own.views, opencv.views) {
      guard let one = one.pose, let two = two.pose else { continue }
      let d = one.translation - two.translation
      #expect((d * d).sum().squareRoot() < 1e-4, name)
    }
  }
}
