import CameraModel
import CommandLineTool

extension ImportCommand {
  static let camera = Option.optional(
    "camera", .text("ID"), help: "Which camera of a file that holds several, as the file calls it.")
  static let size = Option.optional(
    "size", .size, help: "The size of the images, for files that do not state it.")
  static let lens = Option.optional(
    "lens", .choice("MODEL") as ValueKind<LensModel>,
    help: "The lens model, for files with four coefficients that do not state it.")
  static let device = Option.optional(
    "device", .text("DEVICE"),
    help: "Whose camera it is: a device id, or the name of a device in the store.")
  static let deviceName = Option.optional(
    "device-name", .text("NAME"),
    help: "A name to store it under; by default the one in the file, else the file's name.")
  static let store = Option.optional(
    "store", .folder, help: "Root of the store; by default as under FILES.")
  static let replace = Option.flag(
    "replace", help: "Let it take the place of a better calibration, which goes to the history.")
  static let dryRun = Option.flag("dry-run", help: "Read and show it, but store nothing.")
  static let json = Option.flag("json", help: "Print the record as JSON, and nothing else there.")
  static let quiet = Option.flag("quiet", short: "q", help: "Say only warnings and errors.")

  static var description: CommandDescription {
    var description = table
    description.exitStatuses = [
      (.success, ExitStatus.success.meaning),
      (.noCalibration, "There is no calibration in the file, or none that can be represented."),
      (.poor, ExitStatus.poor.meaning),
      (.sourceUnavailable, "The file is missing or unreadable."),
      (.cameraUnavailable, "The camera is absent or cannot be told from another."),
      (
        .notStored,
        "Not stored: the folder cannot be written, or a measured calibration stands there."
      ),
      (.noPermission, ExitStatus.noPermission.meaning),
    ]
    return description
  }

  private static let table = CommandDescription(
    name: "import-calibration",
    summary: "store a camera calibration that another program has made",
    details: [
      "Reads the calibration files of OpenCV (YAML, XML, JSON), ROS (camera_info YAML, ost.txt), "
        + "Kalibr, COLMAP (cameras.txt), ORB-SLAM and stella_vslam, mrcal, camodocal and VINS, "
        + "Kimera, BoofCV, PhotonVision, Gyroflow, Basalt, SVO, DSO, KITTI (raw), Metashape and "
        + "Bouguet's toolbox, and the records of this package. The content decides, not the name.",
      "Numbers are taken over to the last digit, in OpenCV's pixel convention: positions that a "
        + "format measures from the corner of the top-left pixel (COLMAP, BoofCV, Metashape) "
        + "become 0.5 less. What the lens models here can't represent (skew, thin prisms, mirror "
        + "parameters, splines) is an error; nothing is left out silently.",
      "How good an imported calibration is was not measured here, so it counts as usable, and as "
        + "poor where its numbers can't be right for its image size. It does not take the place "
        + "of a calibration that was measured here unless told to.",
    ],
    operands: .init("FILE", count: 1...1, completion: .files, help: "The calibration file."),
    groups: [
      OptionGroup("What the file leaves open", [camera, size, lens]),
      OptionGroup("Device and store", [device, deviceName, store, replace, dryRun]),
      OptionGroup("Output", [json, quiet]),
    ],
    exclusive: [["device", "device-name"]],
    examples: [
      .init(
        "ROS's calibration of a camera:",
        command: "import-calibration ost.yaml --device-name \"front left\""),
      .init(
        "The second camera of a Kalibr file:",
        command: "import-calibration camchain.yaml --camera cam1"),
      .init(
        "A file without an image size:",
        command: "import-calibration TUM1.yaml --size 640x480"),
    ],
    environment: [
      .init("CAMERA_CALIBRATIONS", "Root of the store, unless --store is given."),
      .init("XDG_DATA_HOME", "Where the user's store lies; by default ~/.local/share."),
    ],
    files: [
      .init("calibrations", "The store, where the working folder has such a folder."),
      .init("~/.local/share/camera-calibrations", "The user's store, where there is none."),
    ],
    seeAlso: ["calibrate(1)", "show-intrinsics(1)"])
}
