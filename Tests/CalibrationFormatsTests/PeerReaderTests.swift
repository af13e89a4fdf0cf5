import CalibrationStore
import CameraModel
import Foundation
import OpenCVFileReader
import Testing

@testable import CalibrationFormats

/// Python with PyYAML, which reads what is exported.
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

@Suite("OpenCV and PyYAML read what is exported")
struct PeerReaderTests {
  static func export(_ lens: LensModel) throws -> (camera: CameraParameters, text: String) {
    var generator = SeededGenerator(state: 50)
    let camera = ExportTests.randomCamera(lens, withoutK3: false, &generator)
    return (
      camera, try ExportFormat.opencv.text(for: ExportTests.record(camera, name: Self.name))
    )
  }

  static let name = "Kamera \"ä\" #1: [x] \\ 'y'"

  /// Those that OpenCV has, too.
  static let lenses: [LensModel] = [.pinhole, .rational, .fisheye]

  @Test("OpenCV finds the same bits and the same name", arguments: lenses)
  func opencv(lens: LensModel) throws {
    let (camera, text) = try Self.export(lens)
    let path = NSTemporaryDirectory() + "/export-\(lens)-\(UInt64.random(in: 0...UInt64.max)).yml"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var contents = ocvFileContents()
    try #require(ocvReadFile(path, &contents) == 1, "OpenCV refuses it:\n\(text)")
    let matrix = withUnsafeBytes(of: &contents.matrix) { Array($0.bindMemory(to: Double.self)) }
    let all = withUnsafeBytes(of: &contents.coefficients) { Array($0.bindMemory(to: Double.self)) }
    #expect(matrix == camera.matrixRows)
    #expect(Array(all.prefix(Int(contents.coefficientCount))) == camera.distortion)
    #expect(
      Resolution(width: Int(contents.width), height: Int(contents.height)) == camera.resolution)
    let found = withUnsafeBytes(of: &contents.name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #expect(found == Self.name)
  }

  @Test(
    "PyYAML finds the same bits and the same name",
    .enabled(if: hasYAML, "needs python3-yaml"), arguments: lenses)
  func yaml(lens: LensModel) throws {
    let (camera, text) = try Self.export(lens)
    // Numbers as hexadecimal floats.
    let program = """
      import sys, yaml
      tree = yaml.safe_load(sys.argv[1])
      for key in ["camera_matrix", "distortion_coefficients"]:
        print(" ".join(float(x).hex() for x in tree[key]["data"]))
      print(tree["image_width"], tree["image_height"], tree["camera_name"])
      """
    let (status, output) = try runPython(program, [text])
    #expect(status == 0)
    let lines = output.split(separator: "\n").map(String.init)
    try #require(lines.count == 3)
    let numbers = lines.prefix(2).map { $0.split(separator: " ").map { Double(String($0)) } }
    #expect(numbers[0] == camera.matrixRows)
    #expect(numbers[1] == camera.distortion)
    #expect(lines[2] == "\(camera.resolution.width) \(camera.resolution.height) \(Self.name)")
  }

  @Test("What is written for OpenCV is read back as OpenCV's, name and all")
  func dialect() throws {
    for lens in Self.lenses {
      let (camera, text) = try Self.export(lens)
      let imported = try read(text)
      #expect(imported.dialect == "OpenCV YAML")
      #expect(imported.name == Self.name && imported.camera == camera)
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
