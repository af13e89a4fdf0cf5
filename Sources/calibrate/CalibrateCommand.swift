import CameraModel
import CommandLineTool

/// What `--solver` may be.
///
/// Names alone: the option table is fuzzed without what calibrates.
enum SolverName: String, Sendable, CaseIterable {
  case own
  case opencv
}

/// What `--lens` may be: a lens model, or the one that held-out errors choose.
enum LensName: RawRepresentable, Hashable, Sendable, CaseIterable {
  case auto
  case fixed(LensModel)

  static let allCases = [.auto] + LensModel.allCases.map(LensName.fixed)

  init?(rawValue: String) {
    guard let name = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = name
  }

  var rawValue: String { model?.rawValue ?? "auto" }

  /// The lens model; nil for `auto`.
  var model: LensModel? {
    switch self {
    case .auto: nil
    case .fixed(let model): model
    }
  }
}

/// The option table of `calibrate`: parsing, help, manual page and completions all come from it.
enum CalibrateCommand {
  static let board = Option.required(
    "board", .board,
    help: "The board's inner corners, columns x rows, as OpenCV counts them: a board of 10x7 "
      + "squares is 9x6. 6x9 means the same board.")
  static let square = Option.optional(
    "square", .length,
    help: "The side of a square with its unit, for example 25mm (mm, cm, m or in). Focal lengths, "
      + "centre and distortion do not depend on it; only the distances in the poses do.")
  static let boardSize = Option.optional(
    "board-size", .planeSize,
    help: "What a printed board measures from the first to the last inner corner, across and down, "
      + "for example 200x125mm for a 9x6 board of 25 mm squares. Printers stretch one direction, which "
      + "makes one focal length wrong against the other; in place of --square.")
  static let lens = Option<LensName>.defaulted(
    "lens", .choice("MODEL"), default: .fixed(.pinhole),
    help:
      "The lens model: pinhole (up to 5 distortion coefficients), rational (up to 8), fisheye "
      + "(Kannala-Brandt, up to 4) or spline (fisheye with tangential terms and three knots, up to 9; it "
      + "has no data beyond the outermost corner that was seen, and no other program reads it). Where "
      + "another one explains the views better, this is said. With "
      + "auto all are fitted, the simplest whose held-out error is within one standard error of the "
      + "best is taken, and a table shows what each gives.")
  static let coefficients = Option.optional(
    "coefficients", .count(in: 0...9),
    help:
      "The number of distortion coefficients to estimate, in OpenCV's order (spline: k1 k2 p1 p2 k3 k4 and "
      + "the knots; with --lens auto: or as many as a lens model has). Without it only those are estimated "
      + "that earn their place by held-out error: a coefficient that the views cannot support ruins the "
      + "image's corners.")
  static let solver = Option<SolverName>.defaulted(
    "solver", .choice("SOLVER"), default: .own,
    help:
      "Whose answer the result is: own, or opencv, the reference. OpenCV's calibrateCamera or "
      + "fisheye::calibrate then gives camera and poses, from the views, points and coefficients that our "
      + "own fit settles on, and how far they are from ours is said; deviations and verdict are reckoned at "
      + "its answer. It takes the board for flat and all points for equally good, and knows no spline, "
      + "no --lens auto and no --prior.")
  static let size = Option.optional(
    "size", .size,
    help:
      "Use the images of this size; capture in this size. Without it the most frequent size of the "
      + "images is used, and the largest of a camera that comes at 24 frames a second or more.")
  static let every = Option.defaulted(
    "every", .count(in: 1...1_000_000), default: 10,
    help: "Use every Nth frame of a video.")
  static let maxViews = Option.optional(
    "max-views", .count(in: 3...100_000),
    help: "Keep at most N views, those that differ most from one another.")
  static let jobs = Option.optional(
    "jobs", short: "j", .count(in: 1...1024),
    help:
      "The number of threads; as many as there are processors without it, and at most. The result "
      + "does not depend on it.")
  static let noOutliers = Option.flag(
    "no-outliers",
    help: "Use all points and views, also those that do not fit the others, for comparisons with "
      + "programs that do so.")
  static let device = Option.optional(
    "device", .text("DEVICE"),
    help: "Whose camera it is: a device id or name that show-intrinsics lists, or /dev/videoN.")
  static let deviceName = Option.optional(
    "device-name", .text("NAME"),
    help:
      "File the result under this name. Without it the make and model in the photographs serve, "
      + "else the folder's name.")
  static let store = Option.optional(
    "store", .folder,
    help: "The folder that holds the calibrations. Without it $CAMERA_CALIBRATIONS, ./calibrations "
      + "where that folder exists, else ~/.local/share/camera-calibrations.")
  static let replace = Option.flag(
    "replace", help: "Let a poor result take the place of a better one.")
  static let dryRun = Option.flag("dry-run", help: "Store nothing.")
  static let json = Option.flag(
    "json", help: "Print the stored record on standard output, and nothing else there.")
  static let draw = Option.optional(
    "draw", .folder,
    help: "Write the photographs with what was found drawn in into this folder.")
  static let quiet = Option.flag(
    "quiet", short: "q", help: "Say only warnings and errors on standard error.")
  static let verbose = Option.flag(
    "verbose", short: "v", help: "Say what became of every image, and how the solving went.")

  static let timings = Option.flag(
    "timings",
    help:
      "Say where the time went, as the last line on standard error, in JSON: read, detect, solve "
      + "(start values, minimisation, uncertainty), evaluate (held-out error, tests, choice of "
      + "coefficients), hint (whether another lens model is better) and total, each with cpuSeconds "
      + "of all threads and child processes, and wallSeconds. Reading and detecting go on at once: the time on the clock is divided between "
      + "them.")

  static let description = CommandDescription(
    name: "calibrate",
    summary: "measure a camera's intrinsics with a printed chessboard",
    details: [
      "Finds the board in what a camera shows, in photographs or in a video, solves for focal lengths, principal point and lens "
        + "distortion, judges how good the result is and stores it per device and resolution, where "
        + "show-intrinsics and the library CameraIntrinsics find it.",
      "The board is a printed chessboard with a white margin, flat on something stiff. Take 12 or more "
        + "photographs with focus and zoom fixed: the board near enough to fill a third of the image or "
        + "more, tilted by up to 45 degrees in every direction, and at every corner of the image in at "
        + "least one of them.",
      "Without SOURCE, or with a camera as SOURCE, the camera is watched: hold the board as the advice "
        + "says, and still. Views that are at rest, sharp and unlike the others are kept; capturing ends "
        + "when 90 % of the image is known to --goal, on Enter, or after --give-up. Focus, zoom and "
        + "stabilisation are held meanwhile and put back afterwards. Ctrl-C ends without a result.",
      "The orientation that EXIF tags ask for is not applied: what counts is the sensor's own pixel "
        + "grid, which is what a camera delivers.",
    ],
    operands: CommandDescription.Operands(
      "SOURCE", count: 0...100_000, completion: .files,
      help:
        "A camera (/dev/videoN, or its id or name as list-cameras shows it), or image files, folders "
        + "of images, glob patterns or one video file. Without it the first camera is used."),
    groups: [
      OptionGroup(
        "Board and lens", [board, square, boardSize, lens, coefficients, solver, noOutliers]),
      OptionGroup("What is known beforehand", constraintOptions),
      OptionGroup("Images", [size, every, maxViews, corners, dumpCorners, jobs]),
      OptionGroup(
        "Camera", [goal, views, giveUp, keepFrames, format, frameRate, lockExposure]),
      OptionGroup("Storage", [device, deviceName, store, replace, dryRun]),
      OptionGroup("Output", [json, draw, timings, quiet, verbose]),
    ],
    exclusive: [
      ["square", "board-size"], ["device", "device-name"], ["goal", "views"], ["quiet", "verbose"],
    ],
    examples: [
      CommandDescription.Example(
        "Calibrate the first camera, guided.", command: "calibrate --board 9x6 --square 25mm"),
      CommandDescription.Example(
        "A certain camera at a certain size, to half a pixel.",
        command: "calibrate --board 9x6 --size 1280x720 --goal 0.5px /dev/video2"),
      CommandDescription.Example(
        "Calibrate from a folder of photographs.",
        command: "calibrate --board 9x6 --square 25mm photos/"),
      CommandDescription.Example(
        "File the result under an attached camera.",
        command: "calibrate --board 9x6 --device /dev/video0 photos/*.jpg"),
      CommandDescription.Example(
        "A video of a wide-angle camera, every 15th frame, at most 60 views.",
        command: "calibrate --board 9x6 --lens fisheye --every 15 --max-views 60 tour.mp4"),
      CommandDescription.Example(
        "Points that mrgingham found.",
        command: "calibrate --board 14x14 --corners corners.vnl --size 6000x3376"),
      CommandDescription.Example(
        "The focal length, for a script.",
        command: "calibrate --board 9x6 --json --quiet photos/ | jq .intrinsics.fx"),
    ],
    exitStatuses: [
      .success, .noCalibration, .poor, .badData, .sourceUnavailable, .cameraUnavailable,
      .notStored, .noPermission,
    ],
    environment: [
      .init(
        "CAMERA_CALIBRATIONS", "The folder that holds the calibrations, unless --store is given."),
      .init("XDG_DATA_HOME", "Where the user's store lies; by default ~/.local/share."),
    ],
    seeAlso: ["show-intrinsics(1)", "import-calibration(1)", "make-board(1)"])
}
