import CalibrationStore
import CameraModel
import CommandRunning
import Testing

/// Ten real sets against the class that they are known to be of.
@Suite("Verdict on real photographs", .withRealPhotographs)
struct VerdictTests {
  typealias Level = IntrinsicsRecord.Verdict.Level

  /// A set's class, and the shares of the image within 0.1 % and 0.4 % of the diagonal that it was
  /// given for, with corners of OpenCV's finder.
  struct Expectation: Sendable, CustomTestStringConvertible {
    var set: PhotographSet
    var level: Level
    var good, fair: Double
    var testDescription: String { "\(set.name): \(level)" }
  }

  static let expectations = [
    Expectation(set: .openCVLeft, level: .good, good: 0.89, fair: 1),
    Expectation(set: .stereoWebcam, level: .good, good: 0.86, fair: 1),
    Expectation(set: .gopro, level: .usable, good: 0.81, fair: 0.85),
    Expectation(set: .portrait, level: .usable, good: 0.48, fair: 1),
    Expectation(set: .rosPillarbox, level: .usable, good: 0.40, fair: 0.82),
    Expectation(set: .webcam1080, level: .usable, good: 0.08, fair: 0.97),
    Expectation(set: .carnd, level: .usable, good: 0.04, fair: 0.59),
    Expectation(set: .iphone6, level: .poor, good: 0.03, fair: 0.48),
    Expectation(set: .sonyHX5V, level: .poor, good: 0.03, fair: 0.46),
    Expectation(set: .boardOnPhone, level: .poor, good: 0.01, fair: 0.15),
  ].filter { runsLongTests || !$0.set.isLong }

  /// The set is of its class, or of the next one where a figure lies near the limit between them.
  @Test(arguments: expectations) func setIsOfItsClass(expected: Expectation) throws {
    let record = try #require(try Calibrations.shared.run(expected.set).record)
    let (found, level) = (record.verdict.level, expected.level)
    guard found != level else { return }
    let share = try #require(record.projectionUncertainty?.share)
    let error = try #require(record.reprojectionError)
    let heldOut = try #require(error.heldOutSigma) / error.sigma
    // Another way of finding corners moves shares by this much.
    func near(_ values: [Double?], _ limit: Double) -> Bool {
      values.contains { $0.map { abs($0 - limit) <= 0.06 } ?? false }
    }
    let betweenUpper = near([expected.good, share["0.1"]], 0.85) || abs(heldOut - 1.3) <= 0.1
    let betweenLower = near([expected.fair, share["0.4"]], 0.5) || abs(heldOut - 2) <= 0.15
    switch Set([found, level]) {
    case [.good, .usable]: #expect(betweenUpper, "\(found): \(record.verdict.reasons)")
    case [.usable, .poor]: #expect(betweenLower, "\(found): \(record.verdict.reasons)")
    default: Issue.record("\(found) instead of \(level): \(record.verdict.reasons)")
    }
  }

  /// RMS looks fine there; the deviations say that the focal length is known to 1.2 % at best.
  @Test(arguments: [PhotographSet.iphone6, .sonyHX5V, .boardOnPhone])
  func smallResidualsHideNoUncertainty(set: PhotographSet) throws {
    let record = try #require(try Calibrations.shared.run(set).record)
    #expect((record.reprojectionError?.rms ?? 9) < 0.35)
    let deviation = try #require(record.standardDeviations["fx"])
    #expect(deviation > 0.012 * record.camera.intrinsics.fx)
  }

  /// The cure stands first in the reasons.
  @Test(arguments: [
    (PhotographSet.grayStriped, "Tilt the board"),
    (.sportsHall, "Take more photographs, 12 or more: only 3 views"),
    (.industrial, "Take more photographs, 12 or more: only 4 views"),
    (.rosWebcam, "Show the board at"),
  ])
  func weakSetIsPoorAndTheReasonSaysWhatToDo(set: PhotographSet, cure: String) throws {
    let run = try Calibrations.shared.run(set)
    #expect(run.status == 2)
    let verdict = try #require(run.record?.verdict)
    #expect(verdict.level == .poor)
    #expect(verdict.reasons.first?.hasPrefix(cure) == true, "\(verdict.reasons)")
  }

  /// Nearly frontal views: the focal length could be anything, and the deviation says so.
  @Test func frontalViewsHaveHugeDeviations() throws {
    let record = try #require(try Calibrations.shared.run(.grayStriped).record)
    let deviation = try #require(record.standardDeviations["fx"])
    #expect(deviation > 0.05 * record.camera.intrinsics.fx, "\(deviation)")
  }
}
