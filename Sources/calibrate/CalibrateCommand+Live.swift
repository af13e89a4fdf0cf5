import CommandLineTool
import Imaging

/// The options that only a camera has a use for.
extension CalibrateCommand {
  static let goal = Option.optional(
    "goal", .accuracy,
    help:
      "End when 90 % of the image is known to this, on two views one after the other and not before "
      + "8 views: pixels (0.5px) or a share of the diagonal (0.1%). Without it 0.1%, a little better "
      + "than the verdict good asks for.")
  static let views = Option.optional(
    "views", .count(in: 3...1000), help: "End with N views, and not at a goal.")
  static let giveUp = Option.defaulted(
    "give-up", .duration, default: 600,
    help:
      "End after this time without a new view: with the views there are if there are 8 or more, "
      + "else with status 1.")
  static let keepFrames = Option.optional(
    "keep-frames", .folder,
    help: "Write the frames that were kept into this empty or new folder, as grey PNG files: "
      + "calibrate on it gives the same result.")
  static let format = Option.optional(
    "format",
    .choice("FORMAT", NativePixelFormat.supported.map { (name: "\($0)", value: $0) }),
    help:
      "The pixel format to capture in. Without it the one that loses least at the size and rate.")
  static let frameRate = Option.optional(
    "fps", .frameRate, help: "Frames a second to ask the camera for. Without it 30.")
  static let lockExposure = Option.flag(
    "lock-exposure", help: "Hold the exposure, too, at a thirtieth of a second or less.")

  /// All of them.
  static let cameraOptions: [any DeclaredOption] = [
    goal, views, giveUp, keepFrames, format, frameRate, lockExposure,
  ]
}
