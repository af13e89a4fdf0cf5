import Foundation
import Testing

/// A command as it was built beside the tests.
struct BuiltCommand: Sendable, CustomTestStringConvertible {
  var name: String

  static let all = [
    "calibrate", "show-intrinsics", "import-calibration", "make-board", "list-cameras",
    "compare-calibrations",
  ]
  .map(BuiltCommand.init)

  /// An option with a slip in its name, and what was meant.
  var slip: (given: String, meant: String) {
    name == "make-board" ? ("--sqaure", "--square") : ("--stroe", "--store")
  }

  var testDescription: String { name }

  /// The folder of the built products: the test runner stands in it.
  static let folder: String = {
    let runner =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return String(runner.prefix(upTo: runner.lastIndex(of: "/") ?? runner.startIndex))
  }()

  var path: String { Self.folder + "/" + name }

  /// What a run left behind.
  struct Outcome: Sendable {
    /// The exit status; 128 + n where signal n ended it, as in a shell.
    var status: Int
    var output: String
    var errors: String
  }

  /// Runs the command with a bound on its time (status 124 where that was not enough).
  ///
  /// It sees an empty folder of its own as working folder and home, and standard input that never
  /// says anything and never ends: a command that reads it would not come back.
  func run(_ arguments: [String]) throws -> Outcome {
    try Self.runShell("exec \"$0\" \"$@\"", [path] + arguments)
  }

  /// Runs a line of shell in the same surroundings; `arguments` are `$0`, `$1` ….
  static func runShell(_ line: String, _ arguments: [String]) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let home = folder.appending(path: "home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try ["output", "errors"].map { name in
      let file = folder.appending(path: name)
      try Data().write(to: file)
      return (file, try FileHandle(forWritingTo: file))
    }
    let silence = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments = ["60", "/bin/sh", "-c", line] + arguments
    process.currentDirectoryURL = home
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": home.path, "LC_ALL": "C.UTF-8",
      "SWIFT_BACKTRACE": "enable=no",
      // Libraries' leaks, which the address sanitizer is told to pass over.
      "LSAN_OPTIONS": ProcessInfo.processInfo.environment["LSAN_OPTIONS"] ?? "",
    ]
    process.standardInput = silence
    process.standardOutput = files[0].1
    process.standardError = files[1].1
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { String(decoding: try Data(contentsOf: $0.0), as: UTF8.self) }
    let status = Int(process.terminationStatus)
    return Outcome(
      status: process.terminationReason == .exit ? status : 128 + status, output: texts[0],
      errors: texts[1])
  }
}
