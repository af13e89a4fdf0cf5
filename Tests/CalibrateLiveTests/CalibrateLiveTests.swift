import BoardRendering
import CalibrationStore
import CameraModel
import CommandLineTool
import CommandRunning
import FakeV4L2
import Glibc
import Testing

@testable import calibrate

/// The whole command on a played driver: from V4L2 buffers to the store.
@Suite("calibrate on a camera", .serialized)
struct CalibrateLiveTests {
  static func poses(_ count: Int = 8, seed: UInt64 = 21) throws -> [BoardPose] {
    try BoardPose.random(
      count, camera: FakeStudio.camera, board: FakeStudio.board, seed: seed)
  }

  @Test(
    "The first camera's intrinsics are stored under its id, and its kept frames give them again")
  func whole() throws {
    let studio = try FakeStudio(
      poses: try Self.poses(), description: FakeDescription(controls: .webcam))
    let frames = studio.folder.path + "/frames"
    let run = try studio.calibrate([
      "--board", "9x6", "--square", "25mm", "--views", "6", "--keep-frames", frames,
    ])
    #expect(run.status == 0 || run.status == 2, "\(run.messages)")
    #expect(run.messages.contains("usb:1234:5678:0001 (by serial number), YUYV 640x480 at 30 fps"))
    #expect(run.messages.contains("6 views were kept: as many as asked for."))
    let record = try #require(try studio.record(), "\(run.messages)")
    #expect(record.device.id.rawValue == "usb:1234:5678:0001")
    #expect(record.lensControls?["focus_automatic_continuous"] == .init(value: 0, locked: true))
    #expect(record.lensControls?["focus_absolute"]?.locked == true)
    let truth = FakeStudio.camera
    for (name, (value, truth)) in zip(
      truth.lensModel.parameterNames, zip(record.camera.parameterVector, truth.parameterVector))
    {
      guard let deviation = record.standardDeviations[name] else { continue }
      #expect(abs(value - truth) < 3 * deviation, "\(name) \(value) ± \(deviation), truth \(truth)")
    }
    // The lens is as it was.
    #expect(studio.camera.value(of: 0x009A_090C) == 1)
    #expect(studio.camera.value(of: 0x009A_0916) == 1)
    #expect(studio.camera.openCount == 0)
    // The same frames as photographs.
    let again = try studio.calibrate([
      "--board", "9x6", "--square", "25mm", "--device", "usb:1234:5678:0001", frames,
    ])
    #expect(again.status == run.status, "\(again.messages)")
    var photographs = try #require(try studio.record())
    #expect(photographs.created != "" && photographs.views.count == 6)
    photographs.created = record.created
    photographs.device = record.device
    (photographs.pixelFormat, photographs.lensControls) = (record.pixelFormat, record.lensControls)
    #expect(photographs == record)
  }

  @Test("--device, an id and a device file name the camera; the goal is told in advance")
  func names() throws {
    for source in [["usb:1234:5678:0001"], ["Fake Camera"], ["--device", "usb:1234:5678:0001"]] {
      let studio = try FakeStudio(poses: [], pace: .interval(5_000_000))
      let run = try studio.calibrate(["--board", "9x6", "--give-up", "1s"] + source)
      #expect(run.status == 1, "\(run.messages)")
      #expect(run.messages.contains("No 9x6 board was seen"))
      #expect(try studio.record() == nil)
    }
  }

  @Test("A camera that can't be used ends with its own status, and nothing is stored")
  func failures() throws {
    for (call, number, status) in [
      (FakeCall.open, EACCES, ExitStatus.noPermission), (.setFormat, EBUSY, .cameraUnavailable),
      (.streamOn, ENOSPC, .cameraUnavailable), (.dequeue, ENODEV, .cameraUnavailable),
    ] {
      let studio = try FakeStudio(
        poses: [], description: FakeDescription(controls: .webcam), pace: .interval(5_000_000))
      studio.camera.fail(call, with: number)
      let run = try studio.calibrate(["--board", "9x6"])
      #expect(run.status == status.rawValue, "\(call): \(run.messages)")
      #expect(run.messages.contains("/dev/video0"))
      #expect(studio.camera.openCount == 0)
      #expect(studio.camera.value(of: 0x009A_090C) == 1)
    }
    let studio = try FakeStudio(poses: [])
    let size = try studio.calibrate(["--board", "9x6", "--size", "800x600"])
    #expect(size.status == ExitStatus.usage.rawValue)
    #expect(size.messages.contains("640x480, 320x240"), "\(size.messages)")
    unlink(studio.folder.path + "/sys/class/video4linux/video0")
    let none = try studio.calibrate(["--board", "9x6"])
    #expect(none.status == ExitStatus.cameraUnavailable.rawValue)
    #expect(none.messages.contains("no camera is attached"))
    #expect(none.messages.contains("calibrate --board 9x6 PHOTOS"))
    let gone = try studio.calibrate(["--board", "9x6", "usb:1234:5678:0001"])
    #expect(gone.status == ExitStatus.cameraUnavailable.rawValue, "\(gone.messages)")
  }

  @Test("Options for cameras are refused with photographs, those for photographs with cameras")
  func options() throws {
    let studio = try FakeStudio(poses: [])
    for arguments in [
      ["photos/", "--goal", "1px"], ["photos/", "--keep-frames", "x"], ["a.png", "--views", "9"],
      ["--every", "3"], ["--device-name", "x"], ["/dev/video0", "--device", "usb:1234:5678:0001"],
    ] {
      let run = try studio.calibrate(["--board", "9x6"] + arguments)
      #expect(run.status == ExitStatus.usage.rawValue, "\(arguments): \(run.messages)")
    }
    // A folder with something in it would mix with the new frames.
    let run = try studio.calibrate(["--board", "9x6", "--keep-frames", studio.folder.path])
    #expect(run.status == ExitStatus.usage.rawValue)
    #expect(run.messages.contains("not empty"))
  }
}
