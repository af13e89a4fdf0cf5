import CalibrationStore
import CameraModel
import Foundation
import Testing

@testable import CalibrationFormats

/// Python with OpenCV and PyYAML, which read what is exported.
private let python = "/usr/bin/python3"

private func runPython(_ program: String, _ arguments: [String] = []) throws -> (Int32, String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: python)
  process.arguments = ["-c", program] + arguments
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}

/// Whether Python has a module; the tests that need it are skipped, and say so, where not.
private func pythonHas(_ module: String) -> Bool {
  let found =
    FileManager.default.isExecutableFile(atPath: python)
    && (try? runPython("import \(module)").0) == 0
  if !found { print("SKIPPED: tests that need \(python) with the module \(module)") }
  return found
}

private let hasYAML = pythonHas("yaml")
private let hasOpenCV = pythonHas("cv2")

@Suite("OpenCV and PyYAML read what is exported")
struct PeerReaderTests {
  /// Prints both readers' numbers as hexadecimal floats, a line each, OpenCV's after PyYAML's.
  static let program = """
    import sys, yaml, cv2
    with open(sys.argv[1], encoding="utf-8") as file: tree = yaml.safe_load(file)
    keys = ["camera_matrix", "distortion_coefficients"]
    for key in keys: print(" ".join(float(x).hex() for x in tree[key]["data"]))
    print(tree["image_width"], tree["image_height"], tree["camera_name"])
    storage = cv2.FileStorage(sys.argv[1], cv2.FILE_STORAGE_READ)
    for key in keys: print(" ".join(float(x).hex() for x in storage.getNode(key).mat().flatten()))
    print(int(storage.getNode("image_width").real()), int(storage.getNode("image_height").real()), storage.getNode("camera_name").string())
    """

  @Test(
    "Both find the same bits and the same name",
    .enabled(if: hasYAML && hasOpenCV, "needs python3-yaml and python3-opencv"),
    arguments: LensModel.allCases)
  func opencv(lens: LensModel) throws {
    var generator = SeededGenerator(state: 50)
    let camera = ExportTests.randomCamera(lens, withoutK3: false, &generator)
    let name = "Kamera \"ä\" #1: [x] \\ 'y'"
    let text = try ExportFormat.opencv.text(for: ExportTests.record(camera, name: name))
    let path = NSTemporaryDirectory() + "/export-\(lens)-\(UInt64.random(in: 0...UInt64.max)).yml"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (status, output) = try runPython(Self.program, [path])
    #expect(status == 0)
    let lines = output.split(separator: "\n").map(String.init)
    try #require(lines.count == 6)
    for reader in [lines[..<3], lines[3...]] {
      let numbers = reader.prefix(2).map { $0.split(separator: " ").map { Double(String($0)) } }
      #expect(numbers[0] == camera.matrixRows)
      #expect(numbers[1] == camera.distortion)
      #expect(reader.last == "\(camera.resolution.width) \(camera.resolution.height) \(name)")
    }
  }

  @Test(
    "PyYAML reads all YAML that is exported, every number a number",
    .enabled(if: hasYAML, "needs python3-yaml"))
  func otherYAML() throws {
    let camera = CameraParameters(
      resolution: Resolution(width: 640, height: 480),
      intrinsics: Intrinsics(fx: 500, fy: 1e22, cx: 1e-5, cy: 1.5e-7),
      distortion: [1e-9, 2e-5, 0, -0.0])
    for format in [ExportFormat.opencv, .ros, .kalibr] {
      let text = try format.text(for: ExportTests.record(camera))
      let program = """
        import sys, yaml
        def walk(x):
          for y in (x.values() if isinstance(x, dict) else x):
            if isinstance(y, (dict, list)): yield from walk(y)
            else: yield y
        print(sorted(repr(x) for x in walk(yaml.safe_load(sys.argv[1])) if isinstance(x, str)))
        """
      let (status, output) = try runPython(program, [text])
      #expect(status == 0)
      #expect(output.contains("e-") == false, "a number was taken for text: \(output)")
      #expect(output.contains("e+") == false, "a number was taken for text: \(output)")
    }
  }
}
