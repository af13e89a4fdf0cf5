import CalibrationStore
import CommandLineTool
import Glibc
import V4L2

/// How cameras are reached; a test puts its own in place.
struct CameraSystem: Sendable {
  /// The system calls.
  var calls = V4L2Calls.system
  /// Where the kernel describes its devices.
  var sysfs = "/sys"
}

/// Which camera a command line means.
struct CameraArgument {
  let system: CameraSystem

  /// The camera that an operand names; nil where it names photographs or a video.
  ///
  /// A device file is a camera; so is the id or the name of an attached camera, unless a file has that
  /// name.
  ///
  /// - Throws: `CommandFailure` for what can only be a camera and is none, or none that is attached.
  func camera(named text: String) throws -> AttachedCamera? {
    let exists = access(text, F_OK) == 0
    guard !exists || isDevice(text) else { return nil }
    do throws(StoreError) {
      return try AttachedCamera.matching(text, sysfs: system.sysfs)
    } catch {
      let isCamera =
        exists || error.code == .ambiguous
        || ["/dev/", "usb:", "bus:"].contains { text.hasPrefix($0) }
      guard isCamera else { return nil }
      throw CommandFailure(.cameraUnavailable, "\(error)")
    }
  }

  /// The first camera from which frames can be had.
  ///
  /// - Throws: `CommandFailure` where there is none.
  func first(board: String) throws -> AttachedCamera {
    let cameras: [AttachedCamera]
    do throws(StoreError) {
      cameras = try AttachedCamera.all(sysfs: system.sysfs)
    } catch {
      throw CommandFailure(.cameraUnavailable, "\(error)")
    }
    if let camera = cameras.first(where: { !$0.needsLibcamera }) { return camera }
    let found =
      cameras.isEmpty
      ? "no camera is attached"
      : "the attached camera gives raw sensor data that only libcamera makes pictures of"
    throw CommandFailure(
      .cameraUnavailable,
      "no SOURCE was given and \(found). Plug a camera in, or take 12 or more photographs of the board "
        + "and run: calibrate --board \(board) PHOTOS...")
  }

  /// Whether a path is a device of Video4Linux: 81 is its major number (the kernel's devices.txt).
  private func isDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
      && (UInt64(status.st_rdev) >> 8) & 0xFFF == 81
  }
}
