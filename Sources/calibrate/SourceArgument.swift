import CommandLineTool
import StoreCommands

/// What the operands of `calibrate` name, and whether the options go with that.
///
/// All that can be said about a command line without a camera is said here, before one is looked for:
/// what is wrong with it is wrong whether or not one is attached.
enum SourceArgument: Equatable {
  /// The first camera that is attached.
  case firstCamera
  /// The camera that an operand names; it `isCertain` where the text can be nothing else.
  case camera(String, isCertain: Bool)
  /// The camera that `--device` names.
  case deviceOption(String)
  /// Photographs or a video.
  case files
  /// Tables of points: those of `--corners`, and the operands.
  case points

  init(_ arguments: ParsedArguments, _ cameras: CameraArgument) throws(UsageError) {
    let operands = arguments.operands
    if arguments[CalibrateCommand.dumpCorners] == OutputArgument.standardOutput {
      throw UsageError(
        .invalidValue, subject: "--dump-corners",
        message: "--dump-corners -: standard output is for the report or the record; name a file")
    }
    if arguments.isGiven(CalibrateCommand.corners) {
      self = .points
      try Self.refuse(CalibrateCommand.cameraOptions, arguments)
      try Self.refuseImageOptions(arguments)
      return
    }
    self = try Self.kind(operands, arguments[CalibrateCommand.device], cameras)
    guard self != .files else {
      try Self.refuse(CalibrateCommand.cameraOptions, arguments)
      return
    }
    if !operands.isEmpty, arguments.isGiven(CalibrateCommand.device) {
      throw UsageError(
        .conflictingOptions, subject: "--device",
        message: "--device says whose photographs they are; a camera is filed under its own id")
    }
    if arguments.isGiven(CalibrateCommand.every) {
      throw UsageError(
        .conflictingOptions, subject: "--every",
        message: "--every is for videos; of a camera's frames those are used that differ enough")
    }
    if arguments.isGiven(CalibrateCommand.deviceName) {
      throw UsageError(
        .conflictingOptions, subject: "--device-name",
        message:
          "--device-name is for photographs; a camera is filed under its own id, so that its "
          + "frames are given the result")
    }
  }

  private static func kind(
    _ operands: [String], _ device: String?, _ cameras: CameraArgument
  ) throws(UsageError) -> SourceArgument {
    guard let first = operands.first else {
      return device.map { .deviceOption($0) } ?? .firstCamera
    }
    guard operands.count > 1 else {
      let isCertain = cameras.isCamera(first)
      return isCertain || cameras.mayNameCamera(first)
        ? .camera(first, isCertain: isCertain) : .files
    }
    let named = operands.filter { cameras.isCamera($0) }
    guard let camera = named.first else { return .files }
    throw UsageError(
      .unexpectedOperand, subject: "SOURCE",
      message: named.count == operands.count
        ? "one run measures one camera, and \(named.count) are named: give one, and run calibrate "
          + "again for each of the others"
        : "\(quoted(camera)) is a camera, and the other sources are photographs or videos: give a "
          + "camera as the only SOURCE")
  }

  /// Refuses options that only a camera has a use for.
  private static func refuse(
    _ options: [any DeclaredOption], _ arguments: ParsedArguments
  ) throws(UsageError) {
    for option in options where arguments.isGiven(option) {
      let name = "--\(option.definition.name)"
      throw UsageError(
        .conflictingOptions, subject: name,
        message: "\(name) is for cameras; leave SOURCE out or name a camera, or leave \(name) out")
    }
  }

  /// Refuses options that need images.
  private static func refuseImageOptions(_ arguments: ParsedArguments) throws(UsageError) {
    for option in CalibrateCommand.imageOptions where arguments.isGiven(option) {
      let name = "--\(option.definition.name)"
      throw UsageError(
        .conflictingOptions, subject: name,
        message: "\(name) needs images; with --corners there are none")
    }
  }
}
