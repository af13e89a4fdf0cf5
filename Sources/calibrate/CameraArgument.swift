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

  /// Whether a SOURCE can only be a camera, attached or not, wherever it stands.
  func isCamera(_ text: String) -> Bool {
    if access(text, F_OK) == 0 { return isDevice(text) }
    return ["/dev/", "usb:", "bus:", "name:"].contains { text.hasPrefix($0) }
      || (try? AttachedCamera.matching(text, sysfs: system.sysfs)) != nil
  }

  /// Whether a SOURCE that is no file may be the name of a camera that is not attached: it looks like
  /// neither a path, a file's name nor a pattern.
  func mayNameCamera(_ text: String) -> Bool {
    guard access(text, F_OK) != 0,
      !text.contains(where: { "/*?[".contains($0) || $0.isNewline })
    else {
      return false
    }
    guard let ending = text.split(separator: ".", omittingEmptySubsequences: false).last,
      ending.count < text.count
    else { return true }
    // Names have versions in them: "USB 2.0 Camera".
    return !(1...5).contains(ending.count) || !ending.allSatisfy { $0.isLetter || $0.isNumber }
      || ending.allSatisfy(\.isNumber)
  }

  /// The attached camera that a text names.
  ///
  /// - Parameter advice: What else could be done, for the message.
  /// - Throws: `CommandFailure` where it is none that is attached, with those that are.
  func camera(named text: String, advice: String = "") throws(CommandFailure) -> AttachedCamera {
    do throws(StoreError) {
      return try AttachedCamera.matching(text, sysfs: system.sysfs)
    } catch {
      throw CommandFailure(.cameraUnavailable, "\(error)\(advice)")
    }
  }

  /// The first camera from which frames can be had.
  ///
  /// - Throws: `CommandFailure` where there is none.
  func first(board: String) throws(CommandFailure) -> AttachedCamera {
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
