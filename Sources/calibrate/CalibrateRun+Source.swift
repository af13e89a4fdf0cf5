import CalibrationStore
import CameraModel
import CommandLineTool
import Frames
import StoreCommands

extension CalibrateRun {
  /// The camera to watch; nil where the operands name photographs or a video.
  ///
  /// - Throws: `CommandFailure` where it is not attached.
  func camera(_ source: SourceArgument) throws(CommandFailure) -> AttachedCamera? {
    let cameras = CameraArgument(system: system)
    switch source {
    case .files, .points: return nil
    case .firstCamera: return try cameras.first(board: "\(arguments[CalibrateCommand.board])")
    case .camera(let text, isCertain: true): return try cameras.camera(named: text)
    case .camera(let text, isCertain: false):
      return try cameras.camera(
        named: text, advice: ". There is no file or folder of this name, either")
    case .deviceOption(let text):
      return try cameras.camera(
        named: text, advice: ". To calibrate from photographs of it give them as SOURCE")
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
  func device() throws -> IntrinsicsRecord.DeviceIdentity? {
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
