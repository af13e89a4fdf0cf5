import CalibrationStore
import CameraModel
import CommandRunning
import Foundation

/// Whether sets that take long or say little more are calibrated too, as `make test-long` asks for.
let runsLongTests = ProcessInfo.processInfo.environment["CAMERA_INTRINSICS_LONG_TESTS"] != nil

/// The calibrations of the sets, each made once and at most one at a time.
final class Calibrations: @unchecked Sendable {
  // @unchecked: `runs` is only touched while `lock` is held.
  private let lock = NSLock()
  private var runs: [String: CalibrateRun] = [:]

  static let shared = Calibrations()

  /// What `calibrate` makes of a set.
  func run(_ set: PhotographSet) throws -> CalibrateRun {
    try lock.withLock {
      if let run = runs[set.name] { return run }
      let run = try CalibrateRun(set.arguments)
      print(set.name, run.summary)
      runs[set.name] = run
      return run
    }
  }
}

extension CalibrateRun {
  /// The figures that the tests look at, on one line.
  var summary: String {
    guard let record else { return "status \(status): \(messages.suffix(200))" }
    func text(_ value: Double?) -> String { value.map { String(format: "%.3f", $0) } ?? "none" }
    let parameters = ["fx", "fy", "cx", "cy"].map { name in
      let intrinsics = record.camera.intrinsics
      let value = [
        "fx": intrinsics.fx, "fy": intrinsics.fy, "cx": intrinsics.cx, "cy": intrinsics.cy,
      ][name]
      return "\(name) \(text(value)) ± \(text(record.standardDeviations[name]))"
    }
    let error = record.reprojectionError
    let share = record.projectionUncertainty?.share ?? [:]
    return "\(record.verdict.level) " + parameters.joined(separator: ", ")
      + ", RMS \(text(error?.rms)), sigma \(text(error?.sigma)), held out \(text(error?.heldOutSigma))"
      + ", share \(text(share["0.1"])) / \(text(share["0.4"]))"
      + ", \(record.views.count { $0.used }) of \(record.views.count) views"
      + ", wall \(text(wallSeconds)) s"
  }
}
