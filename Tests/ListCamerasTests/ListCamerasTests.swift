import CalibrationStore
import CameraModel
import CommandLineTool
import FakeV4L2
import Foundation
import Testing
import V4L2

@testable import list_cameras

@Suite("list-cameras")
struct ListCamerasTests {
  /// A sysfs, a store and a run's two outputs in a folder of its own.
  private final class Place {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    let system = FakeSystem()

    init() throws {
      try FileManager.default.createDirectory(
        atPath: path + "/sys/class/video4linux", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private func write(_ file: String, _ text: String) throws {
      let url = URL(filePath: path + "/sys" + file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((text + "\n").utf8).write(to: url)
    }

    /// Attaches a USB camera; one without driver has a device file that does not exist.
    func add(_ node: String, port: String, serial: String?, camera: FakeCamera?) throws {
      let device = "/devices/pci0000:00/0000:00:14.0/usb1/1-\(port)"
      let folder = "\(device)/1-\(port):1.0/video4linux/\(node)"
      try write(device + "/idVendor", "046d")
      try write(device + "/idProduct", "0825")
      try write(device + "/devpath", port)
      try write(device + "/product", "HD Cam")
      if let serial { try write(device + "/serial", serial) }
      try link(node, folder, device: device + "/1-\(port):1.0")
      system.attach(camera, at: "/dev/" + node)
    }

    /// Attaches something without a device behind it, or on the platform's bus.
    func add(_ node: String, name: String, platform: String? = nil, camera: FakeCamera?) throws {
      let device = platform.map { "/devices/platform/" + $0 }
      let folder = (device ?? "/devices/virtual") + "/video4linux/" + node
      try write(folder + "/name", name)
      try link(node, folder, device: device)
      system.attach(camera, at: "/dev/" + node)
    }

    private func link(_ node: String, _ folder: String, device: String?) throws {
      try write(folder + "/index", "0")
      let files = FileManager.default
      try files.createSymbolicLink(
        atPath: path + "/sys/class/video4linux/" + node,
        withDestinationPath: path + "/sys" + folder)
      guard let device else { return }
      try files.createSymbolicLink(
        atPath: path + "/sys" + folder + "/device", withDestinationPath: path + "/sys" + device)
    }

    func store(_ id: String, _ size: Resolution, _ level: IntrinsicsRecord.Verdict.Level) throws {
      let record = IntrinsicsRecord(
        device: .init(id: DeviceID(rawValue: id), name: "HD Cam", identifiedBy: "serial number"),
        camera: CameraParameters(
          resolution: size, intrinsics: Intrinsics(fx: 500, fy: 500, cx: 300, cy: 200),
          distortion: [0, 0, 0, 0]),
        verdict: .init(level: level, reasons: []), created: "2026-11-30T05:21:30Z", tool: "test")
      _ = try IntrinsicsStore(root: path + "/store").save(record)
    }

    func run(_ arguments: String...) throws -> (output: String, talk: String) {
      let parsed = try #require(
        {
          if case .run(let parsed) = try ListCommand.description.parse(
            arguments + ["--store", path + "/store"])
          {
            return parsed
          }
          return nil
        }())
      let files = try ["output", "talk"].map { name in
        try Data().write(to: URL(filePath: path + "/" + name))
        return try FileHandle(forWritingTo: URL(filePath: path + "/" + name))
      }
      let terminal = Terminal(
        commandName: "list-cameras", data: Output(descriptor: files[0].fileDescriptor),
        talk: Output(descriptor: files[1].fileDescriptor))
      // Optimised code lets go of the files, which closes them, after their last mention.
      let status = try withExtendedLifetime(files) {
        try ListCommand(parsed, terminal).run(sysfs: path + "/sys", calls: system.calls)
      }
      #expect(status == .success)
      return try (
        String(contentsOfFile: path + "/output", encoding: .utf8),
        String(contentsOfFile: path + "/talk", encoding: .utf8)
      )
    }
  }

  private static let webcam = FakeDescription(formats: [
    .init("MJPG", sizes: [.init(1280, 720), .init(640, 480, rates: [30, 15])]),
    .init("YUYV", sizes: [.init(640, 480, rates: [30])]), .init("H264", sizes: [.init(64, 48)]),
    .init("pRAA", sizes: []),
  ])

  @Test("prints formats, sizes and rates with what is calibrated")
  func text() throws {
    let place = try Place()
    try place.add("video0", port: "2", serial: "A1", camera: FakeCamera(Self.webcam))
    try place.store("usb:046d:0825:A1", Resolution(width: 640, height: 480), .good)
    try place.store("usb:046d:0825:A1", Resolution(width: 4000, height: 3000), .poor)
    #expect(
      try place.run().output == """
        /dev/video0  HD Cam
          usb:046d:0825:A1 (by serial number)
          FORMAT  SIZE      FRAMES A SECOND  CALIBRATED
          MJPG    1280x720  30, 15           –
          MJPG    640x480   30, 15           good
          YUYV    640x480   30               good
          other formats, which are not read here: H264, pRAA
          also calibrated: 4000x3000 poor

        """)
    #expect(place.system.openDescriptorCount == 0)
  }

  @Test("prints JSON for programs")
  func json() throws {
    let place = try Place()
    try place.add("video0", port: "2", serial: nil, camera: FakeCamera(Self.webcam))
    try place.store("bus:usb-0000:00:14.0-2", Resolution(width: 1280, height: 720), .usable)
    let value = try JSONValue(parsing: Array(try place.run("--json").output.utf8))
    guard case .array(let cameras) = value, cameras.count == 1 else {
      Issue.record("\(value)")
      return
    }
    let camera = cameras[0]
    #expect(camera["node"] == .string("/dev/video0"))
    #expect(camera["id"] == .string("bus:usb-0000:00:14.0-2"))
    #expect(camera["identifiedBy"] == .string("bus position (it has no serial number)"))
    #expect(camera["driver"] == .string("uvcvideo"))
    #expect(camera["notes"] == .array([]))
    guard case .array(let formats)? = camera["formats"],
      case .array(let sizes)? = formats.first?["sizes"]
    else {
      Issue.record("\(camera)")
      return
    }
    #expect(formats.map { $0["isSupported"] == .boolean(true) } == [true, true, false, false])
    #expect(sizes[0]["width"] == .integer(1280))
    #expect(sizes[0]["calibrated"] == .string("usable"))
    #expect(sizes[1]["calibrated"] == .null)
    #expect(sizes[1]["framesPerSecond"] == .array([.number(30), .number(15)]))
  }

  @Test("without a camera prints an empty list, and a hint on standard error")
  func none() throws {
    let place = try Place()
    let table = try place.run()
    #expect(table.output == "")
    #expect(table.talk.contains("no camera is attached"))
    let json = try place.run("--json")
    #expect(json.output == "[]\n")
    #expect(try place.run("--quiet").talk == "")
  }

  @Test("the store is looked at, whether or not a camera is attached")
  func store() throws {
    for isAttached in [false, true] {
      let place = try Place()
      if isAttached {
        try place.add("video0", port: "2", serial: "A1", camera: FakeCamera(Self.webcam))
      }
      #expect(try place.run().talk.contains("/store: there is no such folder"))
      try Data().write(to: URL(filePath: place.path + "/store"))
      let failure = #expect(throws: CommandFailure.self) { try place.run() }
      #expect(failure?.status == .sourceUnavailable)
      #expect(failure?.message.contains("/store") == true)
    }
  }

  @Test("notes what keeps a camera from being used, and leaves out what is none")
  func notes() throws {
    let place = try Place()
    let locked = FakeCamera(Self.webcam)
    locked.fail(.open, with: EACCES)
    try place.add("video0", port: "1", serial: "A", camera: locked)
    let busy = FakeCamera(Self.webcam)
    busy.fail(.requestBuffers, with: EBUSY)
    try place.add("video2", port: "2", serial: "B", camera: busy)
    // Its device file was not passed on to the container.
    try place.add("video4", port: "3", serial: "C", camera: nil)
    try place.add("video5", name: "unicam-image", platform: "fe801000.csi", camera: nil)
    try place.add(
      "video6", name: "Stage",
      camera: FakeCamera(
        FakeDescription(
          driver: "v4l2 loopback", capabilities: 0x8520_0002, deviceCapabilities: 0x0520_0002)))
    // Says only once opened that it is an encoder.
    try place.add(
      "video7", name: "encoder", platform: "codec",
      camera: FakeCamera(FakeDescription(driver: "codec", deviceCapabilities: 0x0420_8000)))
    let blocks = try place.run().output.components(separatedBy: "\n\n")
    #expect(
      blocks.map { String($0.prefix(11)) } == [
        "/dev/video0", "/dev/video2", "/dev/video4", "/dev/video5", "/dev/video6",
      ])
    for (block, words) in zip(
      blocks, ["group video", "busy", "no such file", "libcamera", "start that one first"])
    {
      let joined = block.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(joined.contains("note: ") && joined.contains(words), "\(block)")
    }
    #expect(blocks[1].contains("MJPG    640x480"))
  }

  @Test("tells two cameras with one serial number by their ports, and says so")
  func twins() throws {
    let place = try Place()
    for (node, port) in [("video0", "1"), ("video2", "2")] {
      try place.add(node, port: port, serial: "SN0001", camera: FakeCamera(Self.webcam))
    }
    let output = try place.run().output
    for port in ["1", "2"] {
      #expect(
        output.contains(
          "bus:usb-0000:00:14.0-\(port) (by bus position (another attached camera has the same "
            + "serial number))"))
    }
  }
}
