import BoardRendering
import Boards
import CalibrationStore
import CameraModel
import CommandLineTool
import CommandRunning
import FakeV4L2
import Glibc
import Imaging

@testable import calibrate

/// A fake camera with a board before it, described in a sysfs of its own, and runs of `calibrate` on it.
struct FakeStudio {
  static let board = PrintedBoard(columns: 9, rows: 6)
  static let camera = CameraParameters.example(.pinhole)

  let folder: TemporaryFolder
  let camera: FakeCamera
  let system: FakeSystem

  var store: String { folder.path + "/store" }

  /// - Parameters:
  ///   - poses: The board goes from one to the next and round again.
  ///   - framesEach: How long it is held at each.
  init(
    poses: [BoardPose], framesEach: Int = 15, description: FakeDescription = FakeDescription(),
    pace: FakeCamera.Pace = .interval(33_333_333)
  ) throws {
    folder = try TemporaryFolder()
    // Two pictures a pose with noise of their own, so that no two neighbours are the same bytes.
    let pictures = poses.enumerated().flatMap { index, pose in
      (0..<2).map { copy in
        Self.yuyv(
          BoardScene(camera: Self.camera, board: Self.board, pose: pose)
            .image(noiseSeed: UInt64(2 * index + copy)))
      }
    }
    camera = FakeCamera(description, pace: pace) { frame, bytes in
      let pose = Int(frame.sequence) / framesEach % max(1, pictures.count / 2)
      guard !pictures.isEmpty, let target = bytes.baseAddress else { return }
      pictures[2 * pose + Int(frame.sequence) % 2].withUnsafeBytes { source in
        guard let start = source.baseAddress else { return }
        memcpy(target, start, min(source.count, bytes.count))
      }
    }
    system = FakeSystem(["/dev/video0": camera])
    try Self.describe(in: folder.path)
  }

  private static func yuyv(_ image: GrayImage) -> [UInt8] {
    var bytes = [UInt8](repeating: 128, count: 2 * image.pixels.count)
    for (index, pixel) in image.pixels.enumerated() { bytes[2 * index] = pixel }
    return bytes
  }

  /// A USB camera with a serial number, as the kernel describes it.
  private static func describe(in root: String) throws {
    let device = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-2"
    let node = device + "/1-2:1.0/video4linux/video0"
    func make(_ path: String) {
      var part = root
      for name in path.split(separator: "/") {
        part += "/" + name
        mkdir(part, 0o777)
      }
    }
    make(node)
    make("/sys/class/video4linux")
    make("/sys/bus/usb")
    make("/sys/bus/drivers/uvcvideo")
    symlink(root + node, root + "/sys/class/video4linux/video0")
    symlink(root + device + "/1-2:1.0", root + node + "/device")
    symlink(root + "/sys/bus/usb", root + device + "/1-2:1.0/subsystem")
    symlink(root + "/sys/bus/drivers/uvcvideo", root + device + "/1-2:1.0/driver")
    for (path, text) in [
      (device + "/idVendor", "1234"), (device + "/idProduct", "5678"), (device + "/serial", "0001"),
      (device + "/devpath", "2"), (device + "/product", "Fake Camera"),
      (device + "/1-2:1.0/bInterfaceNumber", "00"), (node + "/name", "Fake Camera"),
      (node + "/index", "0"),
    ] {
      guard let file = fopen(root + path, "w") else { continue }
      fputs(text + "\n", file)
      fclose(file)
    }
  }

  /// What a run came to.
  struct Outcome {
    var status: Int32
    var output: String
    var messages: String
  }

  /// Runs `calibrate` in this process.
  func calibrate(_ arguments: [String]) throws -> Outcome {
    let files = ["output", "messages"].map { folder.path + "/" + $0 }
    let descriptors = files.map { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o666) }
    defer { for descriptor in descriptors { close(descriptor) } }
    let terminal = Terminal(
      commandName: "calibrate", data: Output(descriptor: descriptors[0]),
      talk: Output(descriptor: descriptors[1]), isInteractive: false)
    var status: Int32 = 0
    do {
      let request = try CalibrateCommand.description.parse(arguments + ["--store", store])
      if case .run(let parsed) = request {
        let system = CameraSystem(calls: system.calls, sysfs: folder.path + "/sys")
        status = try CalibrateRun(parsed, terminal, system: system).run().rawValue
      }
    } catch let error as UsageError {
      terminal.complain(error.message)
      status = ExitStatus.usage.rawValue
    } catch let error as CommandFailure {
      terminal.complain(error.message)
      status = error.status.rawValue
    } catch let error as Interrupted {
      status = error.status.rawValue
    }
    return Outcome(status: status, output: Self.text(files[0]), messages: Self.text(files[1]))
  }

  private static func text(_ path: String) -> String {
    TextFile.contents(of: path)
  }

  /// The record that is stored for the camera; nil where there is none.
  func record() throws -> IntrinsicsRecord? {
    let store = IntrinsicsStore(root: store)
    guard let first = try store.calibrations().first else { return nil }
    return try store.intrinsics(for: first.device, resolution: first.resolution)
  }
}

/// Reading a small text file.
private enum TextFile {
  static func contents(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
