import Calibration
import CalibrationStore

/// What `--timings` says: one line of JSON.
enum TimingsLine {
  static func text(_ stages: StageClock) -> String {
    let parts = StageClock.Stage.allCases.map { ($0.rawValue, stages[$0]) }
    let members = (parts + [("total", stages.total)]).map { name, time in
      "\"\(name)\":{\"cpuSeconds\":\(fixed(time.cpuSeconds, 6)),"
        + "\"wallSeconds\":\(fixed(time.wallSeconds, 6))}"
    }
    return "{" + members.joined(separator: ",") + "}"
  }
}
