import CalibrationStore
import CameraModel
import CommandRunning
import Testing

/// Ten real sets against the class that they are known to be of.
@Suite("Verdict on real photographs", .withRealPhotographs)
struct VerdictTests {
  typealias Level = IntrinsicsRecord.Verdict.Level

  static let classes: [(PhotographSet, Level)] = [
    (.openCVLeft, .good), (.stereoWebcam, .good), (.gopro, .usable), (.portrait, .usable),
    (.rosPillarbox, .usable), (.webcam1080, .usable), (.carnd, .usable), (.iphone6, .poor),
    (.sonyHX5V, .poor), (.boardOnPhone, .poor),
  ].filter { SharedPhotographs.runsLongTests || !$0.0.isLong }

  /// The set is of its class, or of the next one where a figure lies near the limit between them.
  @Test(arguments: classes) func setIsOfItsClass(set: PhotographSet, level: Level) throws {
    let record = try #require(try Calibrations.shared.run(set).record)
    let found = record.verdict.level
    guard found != level else { return }
    let share = try #require(record.projectionUncertainty?.share)
    let error = try #require(record.reprojectionError)
    let heldOut = try #require(error.heldOutSigma) / error.sigma
    func near(_ value: Double?, _ limit: Double, _ width: Double) -> Bool {
      value.map { abs($0 - limit) <= width } ?? false
    }
    // Another way of refining corners moves shares by this much.
    let betweenUpper = near(share["0.1"], 0.85, 0.06) || near(heldOut, 1.3, 0.1)
    let betweenLower = near(share["0.4"], 0.5, 0.06) || near(heldOut, 2, 0.15)
    switch Set([found, level]) {
    case [.good, .usable]: #expect(betweenUpper, "\(found): \(record.verdict.reasons)")
    case [.usable, .poor]: #expect(betweenLower, "\(found): \(record.verdict.reasons)")
    default: Issue.record("\(found) instead of \(level): \(record.verdict.reasons)")
    }
  }

  /// RMS looks fine there; the deviations say that the focal length is known to 1.5 % at best.
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
