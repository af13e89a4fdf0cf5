import CalibrationStore
import CameraModel
import CommandLineTool
import Frames
import StoreCommands

extension CalibrateRun {
  /// The camera to watch; nil where the operands name photographs or a video.
  ///
  /// Without an operand it is the one that `--device` names, else the first.
  func camera() throws -> AttachedCamera? {
    let argument = CameraArgument(system: system)
    switch arguments.operands.count {
    case 0:
      guard let text = arguments[CalibrateCommand.device] else {
        return try argument.first(board: "\(arguments[CalibrateCommand.board])")
      }
      if let camera = try argument.camera(named: text) { return camera }
      throw UsageError(
        .missingOperand, subject: "SOURCE",
        message: "--device \(text.printable) is no attached camera: give the photographs as SOURCE")
    case 1:
      guard let camera = try argument.camera(named: arguments.operands[0]) else { return nil }
      guard !arguments.isGiven(CalibrateCommand.device) else {
        throw UsageError(
          .conflictingOptions, subject: "--device",
          message: "--device says whose photographs they are; a camera is filed under its own id")
      }
      return camera
    default:
      return nil
    }
  }

  /// The frames that the operands name.
  func source() throws -> any FrameSource {
    let paths = arguments.operands
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
    case .liveCameraUnsupported: .usage
    case .permissionDenied: .noPermission
    case .badRequest: .usage
    default: .sourceUnavailable
    }
  }
}
