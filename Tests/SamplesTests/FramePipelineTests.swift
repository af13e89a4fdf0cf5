import Testing

/// What the frame pipeline does without a camera; with one it runs in the guest (`make test-v4l2`).
@Suite("Frame pipeline")
struct FramePipelineTests {
  private func run(
    _ arguments: [String]
  ) throws -> (status: Int32, output: String, errors: String) {
    try Program("frame-pipeline").run(arguments)
  }

  @Test(
    "arguments that make no sense end it with the usage",
    arguments: [
      (["--size", "1920"], "--size '1920'"), (["--every", "0"], "--every '0'"),
      (["--frames"], "--frames needs"), (["--format", "gif"], "--format 'gif'"),
      (["--nothing"], "'--nothing'"), (["one", "two"], "'two'"), (["--device"], "--device needs"),
    ])
  func usage(arguments: [String], fault: String) throws {
    let result = try run(arguments)
    #expect(result.status == 64 && result.output == "")
    #expect(result.errors.hasPrefix("frame-pipeline: "))
    #expect(result.errors.contains(fault), "\(result.errors)")
    #expect(result.errors.contains("usage: frame-pipeline"))
  }

  @Test(
    "a camera that is not there is a message and the status for it",
    arguments: ["/dev/video-none", "usb:0000:0000:none", "nobody's camera"])
  func noCamera(device: String) throws {
    let result = try run(["--device", device, "--store", "/nonexistent"])
    #expect(result.status == 69 && result.output == "")
    #expect(result.errors.hasPrefix("frame-pipeline: \(device): "), "\(result.errors)")
  }
}
