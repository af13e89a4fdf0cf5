import Foundation
import Testing

/// One run of the built `show-intrinsics`.
struct Run {
  var status: Int32
  var output: [UInt8]
  var talk: String

  var text: String { String(decoding: output, as: UTF8.self) }
  var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// The command as it was built beside the tests.
  static let executable: String = {
    let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: test).deletingLastPathComponent()
      .appendingPathComponent("show-intrinsics").path
  }()

  init(_ arguments: [String]) throws { try self.init(list: arguments) }

  init(
    _ arguments: String..., environment: [String: String] = [:], folder: String? = nil,
    output file: FileHandle? = nil
  ) throws {
    try self.init(list: arguments, environment: environment, folder: folder, output: file)
  }

  private init(
    list arguments: [String], environment: [String: String] = [:], folder: String? = nil,
    output file: FileHandle? = nil
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.executable)
    process.arguments = arguments
    process.environment = environment
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let (output, talk) = (Pipe(), Pipe())
    process.standardOutput = file.map { $0 as Any } ?? output
    process.standardError = talk
    process.standardInput = FileHandle.nullDevice
    try process.run()
    if file == nil {
      self.output = Array(output.fileHandleForReading.readDataToEndOfFile())
    } else {
      self.output = []
    }
    self.talk = String(
      decoding: talk.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status =
      process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
  }
}

/// A folder of its own for a test, removed at the end.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
  let path = "\(parent)/show-intrinsics-test-\(UInt64.random(in: .min ... .max))"
  try FileManager.default.createDirectory(
    atPath: path, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(atPath: path) }
  try body(path)
}
