import Foundation

/// A program of this package, which lies beside the test runner.
struct Program {
  private let url: URL

  init(_ name: String) {
    url = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: name)
  }

  /// Runs the program to its end.
  func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Both are far smaller than a pipe holds, so the order of reading does not matter.
    process.waitUntilExit()
    func text(_ pipe: Pipe) throws -> String {
      String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    return (process.terminationStatus, try text(output), try text(errors))
  }
}
