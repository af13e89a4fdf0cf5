import CommandRunning
import Testing

@Suite("--every")
struct EveryOptionTests {
  @Test("has no effect on photographs, and that is said")
  func photographs() throws {
    let run = try CalibrateRun(["--board", "9x6", "--every", "3", CornersTests.samples])
    #expect(run.status == 0)
    #expect(run.messages.contains("--every is for videos: all photographs are looked at"))
    #expect(run.messages.contains(", 14 images\n"), "\(run.messages)")
  }
}
