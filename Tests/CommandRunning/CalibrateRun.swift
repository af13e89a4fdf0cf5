package import CalibrationStore
import CameraModel
import Foundation

/// One run of `calibrate` as it was built beside the tests, with a store of its own.
package struct CalibrateRun: Sendable {
  /// The exit status; 128 + n where signal n ended it, 124 where it took longer than allowed.
  package var status: Int
  /// What it printed on standard output.
  package var output: String
  /// What it said on standard error.
  package var messages: String
  /// How long it took, seconds.
  package var wallSeconds: Double
  /// The record that it stored; nil where it stored none.
  package var record: IntrinsicsRecord?
  /// The points of that record.
  package var points: CalibrationPoints?

  /// The folder of the built products: the test runner stands in it.
  private static let products: String = {
    let runner =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return String(runner.prefix(upTo: runner.lastIndex(of: "/") ?? runner.startIndex))
  }()

  /// Runs `calibrate` with `arguments`.
  ///
  /// Its standard input never says anything and never ends, so that a question to the user would be
  /// found out. A poor result is stored too: there is nothing better in the store.
  ///
  /// - Parameter root: The store's folder; nil: one that is gone after the run.
  package init(
    _ arguments: [String], intoStoreAt root: String? = nil, secondsAtMost: Int = 240
  ) throws {
    let folder = try TemporaryFolder()
    let root = root ?? folder.path + "/store"
    let files = try ["output", "errors"].map { name in
      let file = URL(filePath: folder.path + "/" + name)
      try Data().write(to: file)
      return (file, try FileHandle(forWritingTo: file))
    }
    let silence = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments =
      [String(secondsAtMost), Self.products + "/calibrate"] + arguments
      + ["--store", root]
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8",
      "SWIFT_BACKTRACE": "enable=no",
    ]
    process.standardInput = silence
    process.standardOutput = files[0].1
    process.standardError = files[1].1
    let start = ContinuousClock.now
    try process.run()
    process.waitUntilExit()
    let duration = ContinuousClock.now - start
    wallSeconds =
      Double(duration.components.seconds) + 1e-18 * Double(duration.components.attoseconds)
    status =
      Int(process.terminationStatus) + (process.terminationReason == .exit ? 0 : 128)
    output = String(decoding: try Data(contentsOf: files[0].0), as: UTF8.self)
    messages = String(decoding: try Data(contentsOf: files[1].0), as: UTF8.self)
    let store = IntrinsicsStore(root: root)
    guard let stored = try? store.calibrations().first else { return }
    record = try store.intrinsics(for: stored.device, resolution: stored.resolution)
    points = try store.points(for: stored.device, resolution: stored.resolution)
  }
}
