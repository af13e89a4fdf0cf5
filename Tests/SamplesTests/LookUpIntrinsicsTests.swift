import Testing

@Suite("Sample program look-up-intrinsics")
struct LookUpIntrinsicsTests {
  @Test(
    "What is no camera is said",
    arguments: [
      (["/dev/null"], 69 as Int32, "no video device"),
      (["/dev/null", "640x480"], 69, "no video device"),
      (["/dev/video987"], 66, "No such file"),
      (["/dev/video987", "640x480"], 69, "no such video device"),
      ([], 64, "device file is missing"), (["/dev/null", "640"], 64, "'640' is no size"),
      (["/dev/null", "640x", "a"], 64, "'640x' is no size"),
      (["/dev/null", "store", "a"], 64, "'store' is no size"),
      (["/dev/null", "640x480", "a", "b"], 64, "'b' is one argument too many"),
      (["--nothing"], 64, "unknown option"),
    ])
  func noCamera(arguments: [String], status: Int32, words: String) throws {
    let result = try Program("look-up-intrinsics").run(arguments)
    #expect(result.status == status, "\(result)")
    #expect(result.output == "")
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.errors.contains("usage") == (status == 64))
  }
}
