import CalibrationStore
import CameraModel
import Foundation
import Testing

/// The command as a user runs it: its binary, its output, its exit status, its store.
@Suite("import-calibration")
struct ImportCommandTests {
  /// A run's outcome.
  struct Outcome {
    var status: Int32
    var output: String
    var talk: String
  }

  /// A folder of its own for each test, removed afterwards.
  final class Folder {
    let path: String

    init() throws {
      path = NSTemporaryDirectory() + "/import-calibration-\(UInt64.random(in: 0...UInt64.max))"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws -> String {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
      return path + "/" + name
    }
  }

  static func run(_ arguments: String..., in folder: Folder) throws -> Outcome {
    // Tests and commands are built into the same folder.
    let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = products.appendingPathComponent("import-calibration")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = ["HOME": folder.path, "CAMERA_CALIBRATIONS": folder.path + "/store"]
    let (output, talk) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = talk
    try process.run()
    // Both are far below what a pipe holds.
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
      talk: String(decoding: talk.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
  }

  static func store(in folder: Folder) -> IntrinsicsStore {
    IntrinsicsStore(root: folder.path + "/store")
  }

  static let vga = Resolution(width: 640, height: 480)

  @Test("A name that won't do is told before the file is looked for")
  func wrongNames() throws {
    let folder = try Folder()
    for (option, name) in [("--device-name", "!!!"), ("--device", "nobody")] {
      let run = try Self.run("missing.yaml", option, name, in: folder)
      #expect(run.status == 64, "\(run.talk)")
      #expect(run.talk.contains(name), "\(run.talk)")
    }
  }

  static func ros(
    name: String = "front left", cx: String = "320.123456789012",
    size: String = "image_width: 640\nimage_height: 480"
  ) -> String {
    """
    \(size)
    camera_name: \(name)
    camera_matrix: {rows: 3, cols: 3, data: [500.25, 0, \(cx), 0, 501.5, 240.75, 0, 0, 1]}
    distortion_model: plumb_bob
    distortion_coefficients: {rows: 1, cols: 5, data: [-0.2, 0.1, 0.001, -0.002, 0.01]}
    """
  }

  @Test("A file is stored under the name in it, to the last digit, and the output says where")
  func stores() throws {
    let folder = try Folder()
    let outcome = try Self.run(try folder.write(Self.ros(), to: "ost.yaml"), in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("fx 500.25, fy 501.5, cx 320.123456789012, cy 240.75"))
    #expect(outcome.talk.contains("name:front-left, from the name in the file"))
    #expect(outcome.talk.contains(folder.path + "/store"))
    let record = try #require(
      try Self.store(in: folder).intrinsics(
        for: DeviceID(rawValue: "name:front-left"), resolution: Self.vga))
    #expect(
      record.camera.parameterVector == [
        500.25, 501.5, 320.123456789012, 240.75, -0.2, 0.1, 0.001, -0.002, 0.01,
      ])
    #expect(record.verdict.level == .usable)
    #expect(record.tool.hasPrefix("import-calibration "))
    #expect(record.tool.hasSuffix(" from ROS camera_info YAML ost.yaml"))
    #expect(record.device.identifiedBy == "name in the file")
  }

  @Test("--json prints the stored record and nothing else there")
  func json() throws {
    let folder = try Folder()
    let file = try folder.write(Self.ros(), to: "ost.yaml")
    let outcome = try Self.run(file, "--json", "--device-name", "Left Camera", in: folder)
    #expect(outcome.status == 0)
    let printed = try IntrinsicsRecord(jsonBytes: Array(outcome.output.utf8))
    let stored = try Self.store(in: folder).intrinsics(
      for: DeviceID(rawValue: "name:left-camera"), resolution: Self.vga)
    #expect(printed == stored)
    #expect(printed.device.name == "Left Camera")
    // The printed record can be imported again, whole, under another device.
    let again = try folder.write(outcome.output, to: "record.json")
    let moved = try Self.run(again, "--device", "usb:046d:0825:1234", "--json", in: folder)
    #expect(moved.status == 0)
    var expected = printed
    expected.device = .init(
      id: DeviceID(rawValue: "usb:046d:0825:1234"), name: "usb:046d:0825:1234",
      identifiedBy: "given device id")
    #expect(try IntrinsicsRecord(jsonBytes: Array(moved.output.utf8)) == expected)
  }

  @Test("--dry-run stores nothing")
  func dryRun() throws {
    let folder = try Folder()
    let outcome = try Self.run(try folder.write(Self.ros(), to: "a.yaml"), "--dry-run", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.talk.contains("not stored"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/store"))
  }

  @Test("A measured calibration is not replaced unless it is asked for")
  func keepsMeasured() throws {
    let folder = try Folder()
    let id = DeviceID(rawValue: "name:front-left")
    let camera = CameraParameters(
      resolution: Self.vga, intrinsics: .init(fx: 1, fy: 2, cx: 3, cy: 4))
    var measured = IntrinsicsRecord(
      device: .init(id: id, name: "front left", identifiedBy: "given name"), camera: camera,
      verdict: .init(level: .good, reasons: []), created: "2024-06-11T09:30:00Z", tool: "calibrate")
    measured.views = [.init(source: "a.jpg", used: true)]
    let store = Self.store(in: folder)
    try store.save(measured)
    let file = try folder.write(Self.ros(), to: "ost.yaml")
    let refused = try Self.run(file, in: folder)
    #expect(refused.status == 73)
    #expect(refused.talk.contains("--replace"))
    #expect(try store.intrinsics(for: id, resolution: Self.vga) == measured)
    // A poor one goes to the history, and is said to.
    let poor = try Self.run(try folder.write(Self.ros(cx: "9000"), to: "poor.yaml"), in: folder)
    #expect(poor.status == 2)
    #expect(poor.talk.contains("history"))
    #expect(try store.intrinsics(for: id, resolution: Self.vga) == measured)
    let replaced = try Self.run(file, "--replace", in: folder)
    #expect(replaced.status == 0)
    #expect(try store.intrinsics(for: id, resolution: Self.vga)?.camera.intrinsics.fx == 500.25)
    // An import takes the place of an import.
    let newer = try Self.run(try folder.write(Self.ros(cx: "321"), to: "newer.yaml"), in: folder)
    #expect(newer.status == 0)
    #expect(try store.intrinsics(for: id, resolution: Self.vga)?.camera.intrinsics.cx == 321)
  }

  @Test("A store that is a file takes nothing, and that is not the calibration file's fault")
  func storeIsAFile() throws {
    let folder = try Folder()
    let file = try folder.write(Self.ros(), to: "ost.yaml")
    let store = try folder.write("no folder", to: "store")
    let run = try Self.run(file, in: folder)
    #expect(run.status == 73)
    #expect(run.talk.contains(store), "\(run.talk)")
  }

  @Test("What can't be done ends with its own status, and the message says what to do")
  func failures() throws {
    let folder = try Folder()
    func expect(
      _ status: Int32, _ word: String, _ arguments: String...,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let outcome =
        switch arguments.count {
        case 0: try Self.run(in: folder)
        case 1: try Self.run(arguments[0], in: folder)
        default: try Self.run(arguments[0], arguments[1], arguments[2], in: folder)
        }
      #expect(outcome.status == status, sourceLocation: sourceLocation)
      #expect(outcome.talk.contains(word), "\(outcome.talk)", sourceLocation: sourceLocation)
      #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    }
    try expect(64, "FILE")
    try expect(66, "No such file", folder.path + "/none.yaml")
    try expect(66, "not valid", try folder.write("{\"a\": ", to: "broken.json"))
    try expect(
      1, "no camera calibration", try folder.write("kind: Service\nmetadata: 1\n", to: "ost.yaml"))
    let sizeless = try folder.write(Self.ros(size: ""), to: "sizeless.yaml")
    try expect(64, "--size WIDTHxHEIGHT", sizeless)
    let file = try folder.write(Self.ros(), to: "a.yaml")
    try expect(1, "640x480, not 320x240", file, "--size", "320x240")
    try expect(64, "no device", file, "--device", "nobody")
    try expect(69, "/dev/video0", file, "--device", "/dev/video0")
    try expect(64, "no camera \"cam1\"", file, "--camera", "cam1")
    try expect(64, "letter or digit", file, "--device-name", "!!")
    #expect(try Self.run(sizeless, "--size", "640x480", in: folder).status == 0)
  }

  @Test("A device that is stored is found by its name")
  func knownDevice() throws {
    let folder = try Folder()
    let file = try folder.write(Self.ros(), to: "a.yaml")
    #expect(try Self.run(file, "--device", "usb:1:2:3", in: folder).status == 0)
    let other = Self.ros(size: "image_width: 1280\nimage_height: 720").replacing(
      "front left", with: "other")
    let outcome = try Self.run(
      try folder.write(other, to: "b.yaml"), "--device", "usb:1:2:3", in: folder)
    #expect(outcome.status == 0)
    let id = DeviceID(rawValue: "usb:1:2:3")
    #expect(
      try Self.store(in: folder).intrinsics(for: id, resolution: .init(width: 1280, height: 720))
        != nil)
    #expect(try Self.store(in: folder).intrinsics(for: id, resolution: Self.vga) != nil)
  }

  @Test("Without a name in it, a file is stored under its own; cameras of one file apart")
  func names() throws {
    let folder = try Folder()
    let camera =
      "{camera_model: pinhole, intrinsics: [500, 501, 320, 240], distortion_model: radtan, distortion_coeffs: [0, 0, 0, 0], resolution: [640, 480]}"
    let rig = try folder.write("cam0: \(camera)\ncam1: \(camera)\n", to: "my rig.yaml")
    #expect(try Self.run(rig, in: folder).status == 64)
    #expect(
      try Self.run(rig, "--camera", "cam1", in: folder).talk.contains(
        "name:my-rig-cam1, from the file name"))
    let one = try folder.write("cam0: \(camera)\n", to: "single.v2.yaml")
    #expect(try Self.run(one, in: folder).talk.contains("name:single, from the file name"))
  }

  @Test("Help, manual and completions come from the same table")
  func information() throws {
    let folder = try Folder()
    let help = try Self.run("--help", in: folder)
    #expect(help.status == 0)
    for option in [
      "--camera", "--size", "--lens", "--device", "--device-name", "--store", "--replace",
      "--dry-run", "--json",
    ] {
      #expect(help.output.contains(option))
    }
    #expect(try Self.run("--generate-man", in: folder).output.contains(".TH"))
    #expect(try Self.run("--generate-completion", "bash", in: folder).output.contains("--camera"))
  }
}
