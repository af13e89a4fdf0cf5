import CalibrationStore
import CameraModel
import CommandRunning
import TestSupport
import Testing

/// Sets on which OpenCV ends in a wrong minimum.
@Suite("The lower minimum", .withRealPhotographs)
struct LowestMinimumTests {
  /// A set and the number of coefficients that are estimated.
  struct Case: Sendable, CustomTestStringConvertible {
    var set: PhotographSet
    var lens: LensModel
    var coefficients: Int
    var testDescription: String { "\(set.name), \(lens.rawValue) \(coefficients)" }
  }

  /// Photographs of 4K take long to search: those are left to the long tests.
  static let cases =
    [
      Case(set: .fisheyeVGA, lens: .fisheye, coefficients: 4),
      Case(set: .fisheyeBoofCV, lens: .fisheye, coefficients: 4),
      Case(set: .rosPillarbox, lens: .rational, coefficients: 8),
    ]
    + (runsLongTests
      ? [
        Case(set: .fisheye2304, lens: .fisheye, coefficients: 4),
        Case(set: .webcam1080, lens: .rational, coefficients: 8),
        Case(set: .sportsHall, lens: .pinhole, coefficients: 5),
      ] : [])

  @Test(arguments: cases)
  func oursIsNotAboveOpenCVs(wrong: Case) throws {
    let folder = try TemporaryFolder()
    let corners = folder.path + "/corners.json"
    let lens = [
      "--board", wrong.set.board, "--lens", wrong.lens.rawValue,
      "--coefficients", "\(wrong.coefficients)", "--no-outliers",
    ]
    let own = try CalibrateRun(
      lens + ["--dump-corners", corners, SharedData.path(wrong.set.files)])
    let ours = try #require(own.record?.reprojectionError?.rms, "\(own.messages)")
    let size = try #require(own.record?.camera.resolution)
    let peer = try CalibrateRun(
      lens + [
        "--corners", corners, "--size", "\(size.width)x\(size.height)", "--solver", "opencv",
      ])
    let theirs = peer.record?.reprojectionError?.rms
    print("\(wrong): \(ours) px, OpenCV \(theirs.map { "\($0)" } ?? "none")")
    func used(_ run: CalibrateRun) -> Int? { run.record?.views.count { $0.used } }
    // Where OpenCV gives up, or leaves views out, there is nothing to compare.
    guard let theirs, used(peer) == used(own) else { return }
    // A millionth of the cost, and six digits in the record.
    #expect(ours <= theirs * (1 + 1e-6))
  }
}
