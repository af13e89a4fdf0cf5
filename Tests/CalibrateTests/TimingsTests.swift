import CommandRunning
import Foundation
import Testing

@Suite("--timings")
struct TimingsTests {
  /// One line of `--timings`.
  private typealias Timings = [String: [String: Double]]

  private func timings(_ run: CalibrateRun) throws -> Timings {
    let last = try #require(run.messages.split(separator: "\n").last)
    return try JSONDecoder().decode(Timings.self, from: Data(last.utf8))
  }

  @Test("The last line is JSON, and its parts add up")
  func lastLine() throws {
    let samples = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "samples/board-sequence").path(percentEncoded: false)
    let run = try CalibrateRun(["--board", "9x6", "--quiet", "--timings", samples])
    #expect(run.status == 0)
    let times = try timings(run)
    let parts = ["read", "detect", "solve", "evaluate"]
    #expect(Set(times.keys) == Set(parts + ["total"]))
    for kind in ["cpuSeconds", "wallSeconds"] {
      let values = try parts.map { try #require(times[$0]?[kind]) }
      for value in values { #expect(value > 0) }
      let total = try #require(times["total"]?[kind])
      #expect(values.reduce(0, +) <= total + 1e-3)
      // Reading the options, storing and printing cost little beside the rest; on the clock a busy disk
      // may take its time over storing.
      guard kind == "cpuSeconds" else { continue }
      #expect(values.reduce(0, +) > 0.5 * total, "\(times)")
    }
  }

  @Test("It has the last word where no calibration comes about, too")
  func failure() throws {
    let folder = try TemporaryFolder()
    try Data("P5 40 30 255\n".utf8 + [UInt8](repeating: 128, count: 1200))
      .write(to: URL(filePath: folder.path + "/a.pgm"))
    let run = try CalibrateRun(["--board", "9x6", "--timings", folder.path])
    #expect(run.status == 1)
    #expect(try timings(run)["total"]?["cpuSeconds"].map { $0 > 0 } == true)
    #expect(run.messages.contains("No 9x6 board was found"))
  }
}
