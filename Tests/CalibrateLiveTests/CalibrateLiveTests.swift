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

  @Test("A camera that is named and not attached is told with those that are")
  func absent() throws {
    let studio = try FakeStudio(poses: [])
    let camera = "usb:1234:5678:0001 (Fake Camera)"
    for (arguments, words) in [
      (["HD Pro Webcam C920"], "no file or folder of this name"),
      (["USB 2.0 Camera"], "no file or folder of this name"),
      (["name:desk"], "attached: "), (["usb:1234:5678:0002"], "attached: "),
      (["--device", "desk"], "give them as SOURCE"),
      (["--device", "name:desk"], "give them as SOURCE"),
    ] {
      let run = try studio.calibrate(["--board", "9x6"] + arguments)
      #expect(run.status == ExitStatus.cameraUnavailable.rawValue, "\(run.messages)")
      #expect(run.messages.contains("no such camera is attached"), "\(run.messages)")
      #expect(run.messages.contains(camera), "\(run.messages)")
      #expect(run.messages.contains(words), "\(run.messages)")
    }
    // What looks like a file is one that is missing.
    for source in ["left01.jpg", "photos/", "tour.mp4", "./x", "left*.jpg", "a\nb"] {
      let run = try studio.calibrate(["--board", "9x6", source])
      #expect(run.status == ExitStatus.sourceUnavailable.rawValue, "\(source): \(run.messages)")
      #expect(!run.messages.contains("camera"), "\(source): \(run.messages)")
    }
  }

  @Test("What is wrong with a command line is said, whether or not a camera is attached")
  func options() throws {
    let studio = try FakeStudio(poses: [])
    let files = studio.folder.path
    for isAttached in [true, false] {
      if !isAttached { unlink(files + "/sys/class/video4linux/video0") }
      for (arguments, words) in [
        (["photos/", "--goal", "1px"], "--goal is for cameras"),
        (["photos/", "--keep-frames", "x"], "--keep-frames is for cameras"),
        (["a.png", "--views", "9"], "--views is for cameras"),
        (["--every", "3"], "--every is for videos"),
        (["/dev/video9", "--every", "3"], "--every is for videos"),
        (["--device-name", "x"], "--device-name is for photographs"),
        (["name:desk", "--device-name", "x"], "--device-name is for photographs"),
        (["/dev/video0", "--device", "usb:1234:5678:0001"], "whose photographs"),
        (["usb:1:2:3", "--device", "usb:1234:5678:0001"], "whose photographs"),
        (["desk", "--device", "usb:1234:5678:0001"], "whose photographs"),
        (["/dev/video0", "/dev/video1"], "one run measures one camera"),
        (["usb:1:2:3", "name:desk"], "one run measures one camera"),
        (["/dev/video0", "a.png"], "only SOURCE"), (["a.png", "name:desk"], "only SOURCE"),
        // A folder with something in it would mix with the new frames.
        (["--keep-frames", files], "not empty"), (["--keep-frames", "/dev/null"], "is no folder"),
        (["--keep-frames", files + "/a/b"], "make that first"),
        (["--draw", files + "/a/b"], "make that first"), (["--draw", "/dev/null"], "is no folder"),
        (["--draw", files + "/new", "--keep-frames", files + "/./new/"], "name one folder"),
        (["--lens", "fisheye", "--coefficients", "8"], "at most 4"),
        (["--square", "0.01mm"], "0.1 mm to 10 m"),
      ] {
        let run = try studio.calibrate(["--board", "9x6"] + arguments)
        #expect(run.status == ExitStatus.usage.rawValue, "\(arguments): \(run.messages)")
        #expect(run.messages.contains(words), "\(arguments): \(run.messages)")
        #expect(access(files + "/new", F_OK) != 0)
      }
    }
    // Two cameras by their names, of which one is attached.
    let other = try FakeStudio(poses: [])
    let run = try other.calibrate(["--board", "9x6", "Fake Camera", "photos/"])
    #expect(run.messages.contains("only SOURCE"), "\(run.messages)")
  }

  @Test("A store that can't take the result is told before anybody holds a board")
  func store() throws {
    let studio = try FakeStudio(poses: [])
    try #require(fclose(fopen(studio.store, "w")) == 0)
    let run = try studio.calibrate(["--board", "9x6"])
    #expect(run.status == ExitStatus.usage.rawValue)
    #expect(run.messages.contains("\(studio.store): cannot be used: Not a directory"))
    #expect(studio.system.openDescriptorCount == 0)
    // What is stored nowhere needs no store.
    studio.camera.fail(.open, with: EBUSY)
    let dry = try studio.calibrate(["--board", "9x6", "--dry-run"])
    #expect(dry.status == ExitStatus.cameraUnavailable.rawValue, "\(dry.messages)")
  }

  @Test("A folder for pictures is made only once there is a camera")
  func folders() throws {
    let studio = try FakeStudio(poses: [])
    unlink(studio.folder.path + "/sys/class/video4linux/video0")
    let folder = studio.folder.path + "/new"
    for option in ["--keep-frames", "--draw"] {
      let run = try studio.calibrate(["--board", "9x6", option, folder])
      #expect(run.status == ExitStatus.cameraUnavailable.rawValue, "\(run.messages)")
      #expect(access(folder, F_OK) != 0)
    }
  }
}
