import CalibrationStore
import CameraModel
import CommandLineTool
import StoreCommands

/// What the command prints.
enum OutputFormat: String, Sendable, CaseIterable {
  case text
  case json
  case opencv
  case ros
  case kalibr
  case colmap
  case float3x3
}

extension ShowCommand {
  static let size = Option.optional(
    "size", .size, help: "Only the calibration of frames of this size.")
  static let store = Option.optional(
    "store", .folder, help: "Root of the store; by default as under FILES.")
  static let format = Option.defaulted(
    "format", short: "f", .choice("FORMAT") as ValueKind<OutputFormat>, default: .text,
    help: "text: for people. json: the stored record (an array of all without DEVICE). "
      + "opencv: a YAML file that OpenCV and other YAML readers open. ros: camera_info YAML. "
      + "kalibr: camchain YAML. colmap: a line of cameras.txt. float3x3: the 48 bytes of a "
      + "matrix_float3x3, column-major floats in the machine's byte order.")
  static let hex = Option.flag(
    "hex", help: "Write the bytes of float3x3 as hexadecimal text, a column of the matrix a line.")
  static let origin = Option.defaulted(
    "origin", .choice("ORIGIN") as ValueKind<PixelOrigin>, default: .center,
    help: "Where the principal point is measured from. center: the centre of the top-left pixel "
      + "(OpenCV; as stored). corner: that pixel's top-left corner (Apple), 0.5 more.")
  static let output = Option.optional(
    "output", short: "o", .file,
    help: "Write to this file instead of standard output, which - stands for, too.")
  static let quiet = Option.flag(
    "quiet", short: "q", help: "Say nothing on standard error but warnings and errors.")

  static let history = Option.flag(
    "history", help: "List the records of DEVICE that were replaced, removed or set aside.")
  static let restore = Option.optional(
    "restore", .text("TIME"),
    help: "Make a record of the history current again; TIME as --history shows it, or like "
      + "2026-11-30T05:21:30Z.")
  static let remove = Option.flag(
    "remove",
    help: "Move the current records of DEVICE (of one with --size) to the history.")
  static let rename = Option.optional(
    "rename", .text("NAME"), help: "Give DEVICE another name.")
  static let attach = Option.optional(
    "attach", .text("CAMERA"),
    help: "File the records of DEVICE, which is known by a name only, under a camera: its id, "
      + "/dev/videoN, or its name where it is attached.")

  static var description: CommandDescription {
    var description = table
    description.exitStatuses = [
      (.success, ExitStatus.success.meaning),
      (
        .noCalibration,
        "Nothing is stored for what was asked for, or the format has no place for the lens."
      ),
      (.sourceUnavailable, "A stored record cannot be read."),
      (.cameraUnavailable, "The camera is absent or cannot be told from another."),
      (.notStored, "The store or the file of --output cannot be written."),
      (.noPermission, ExitStatus.noPermission.meaning),
    ]
    return description
  }

  private static let table = CommandDescription(
    name: "show-intrinsics",
    summary: "print the stored intrinsics of cameras",
    details: [
      "Without DEVICE, prints a table of all calibrations that are stored. With DEVICE, prints the "
        + "intrinsic matrix, the lens distortion, their standard deviations, where they come from "
        + "and how good they are, for each size of frames that was calibrated.",
      "A camera is calibrated at one size of frames. For other sizes nothing is printed: modes of "
        + "one camera often see different fields of view, so numbers are never scaled silently.",
      "Devices of which only a history is left (after --remove) are named below the table.",
    ],
    operands: .init(
      "DEVICE", count: 0...1,
      help: "A device id or the name of a device, as the table shows them, or /dev/videoN."),
    groups: [
      OptionGroup("Choice", [size, store]),
      OptionGroup("Output", [format, hex, origin, output, quiet]),
      OptionGroup("History", [history, restore, remove, rename, attach]),
    ],
    exclusive: [["history", "restore", "remove", "rename", "attach"]],
    examples: [
      .init("All that is stored:", command: "show-intrinsics"),
      .init(
        "The record of one camera for jq:",
        command: "show-intrinsics left --format json | jq .intrinsics"),
      .init(
        "A file for OpenCV:",
        command: "show-intrinsics left --size 640x480 --format opencv -o left.yml"),
    ],
    environment: [
      .init("CAMERA_CALIBRATIONS", "Root of the store, unless --store is given."),
      .init("XDG_DATA_HOME", "Where the user's store lies; by default ~/.local/share."),
    ],
    files: [
      .init("calibrations", "The store, where the working folder has such a folder."),
      .init(
        "~/.local/share/camera-calibrations",
        "The user's store: used where there is none in the working folder, and read after it."),
    ],
    seeAlso: ["calibrate(1)", "import-calibration(1)"])
}
