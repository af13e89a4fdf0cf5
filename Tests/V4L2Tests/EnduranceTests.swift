import Foundation
import Testing

@Suite("Endurance")
struct EnduranceTests {
  @Test("10,000 frames take no memory, mappings or descriptors")
  func frames() throws {
    let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    process.executableURL = URL(filePath: runner).deletingLastPathComponent()
      .appending(path: "stream-endurance")
    process.arguments = ["10000"]
    // The address sanitizer, where it takes part, would hold back what is freed, and that would look
    // like growth.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["ASAN_OPTIONS": "quarantine_size_mb=1:thread_local_quarantine_size_kb=64"]
    ) { theirs, ours in "\(theirs):\(ours)" }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    try #require(lines.count == 3 && lines.allSatisfy { $0.count == 3 }, "\(text)")
    let (before, after) = (lines[0], lines[1])
    #expect(after[0] == before[0])
    #expect(after[1] == 4)
    // 100 bytes lost with each frame would be 1000 KB.
    #expect(after[2] - before[2] < 500, "\(text)")
    // All buffers are back, and no frame is missing.
    #expect(lines[2] == [4, 0, 0])
  }
}
