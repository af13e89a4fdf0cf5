import CalibrationStore
import CameraModel
import CommandLineTool
import Frames
import StoreCommands

extension CalibrateRun {
  /// The frames that the operands name.
  func source() throws -> any FrameSource {
    let paths = arguments.operands
    guard !paths.isEmpty else {
      throw CommandFailure(
        .cameraUnavailable,
        "no SOURCE was given, and this version cannot capture from a camera yet. Take 12 or more "
          + "photographs of the board and run: calibrate --board "
          + "\(arguments[CalibrateCommand.board]) PHOTOS...")
    }
    let size = arguments[CalibrateCommand.size].map {
      Resolution(width: $0.width, height: $0.height)
    }
    let name = arguments[CalibrateCommand.deviceName]
    let identity = try device()
    do throws(FramesError) {
      return try FrameSourceOptions(
        every: arguments[CalibrateCommand.every], resolution: size, deviceName: name,
        identity: identity
      ).open(paths)
    } catch {
      throw CommandFailure(error.exitStatus, "\(error)")
    }
  }

  /// The camera that `--device` names; nil without it.
  private func device() throws -> IntrinsicsRecord.DeviceIdentity? {
    guard let text = arguments[CalibrateCommand.device] else { return nil }
    guard let store, let roots else {
      throw UsageError(
        .other, subject: "--device",
        message: "--device needs a store to look the device up in: give one with --store")
    }
    return try DeviceArgument.identity(text, in: store, roots: roots)
  }
}

extension FramesError {
  /// The status that a command ends with after this error.
  var exitStatus: ExitStatus {
    switch code {
    case .liveCameraUnsupported: .cameraUnavailable
    case .permissionDenied: .noPermission
    case .badRequest: .usage
    default: .sourceUnavailable
    }
  }
}
