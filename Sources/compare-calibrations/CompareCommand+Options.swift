import CommandLineTool

extension CompareCommand {
  static let scale = Option.flag(
    "scale",
    help: "Where the sizes differ, take B as resized to A's size: right only where both show the "
      + "same field of view.")
  static let store = Option.optional(
    "store", .folder, help: "Root of the store; by default as under FILES.")
  static let json = Option.flag(
    "json", help: "Print everything as JSON on standard output, and nothing else there.")
  static let quiet = Option.flag(
    "quiet", short: "q", help: "Print nothing but errors: the status tells.")

  static var description: CommandDescription {
    var description = table
    description.exitStatuses = [
      (.success, "Nothing shows that they differ; the last line says what that is worth."),
      (.noCalibration, "Nothing is stored for what was asked for, or a file holds no calibration."),
      (.differs, "They differ by more than their uncertainties explain."),
      (.usage, "The command line is wrong, or the images have different sizes."),
      (
        .badData,
        "They have no directions in common over most of the image: one of them can't be right."
      ),
      (.sourceUnavailable, "A file is missing or cannot be read."),
      (.cameraUnavailable, "A camera that is named by its device file is absent."),
      (.outputFailed, ExitStatus.outputFailed.meaning),
      (.noPermission, ExitStatus.noPermission.meaning),
    ]
    return description
  }

  private static let table = CommandDescription(
    name: "compare-calibrations",
    summary: "tell whether two calibrations differ by more than chance",
    details: [
      "Shows by how many pixels two calibrations place the same directions differently, all over the "
        + "image, and by how many they may, as their uncertainties say. Lens models need not be the "
        + "same: what is compared is where things appear, not the numbers of the models.",
      "Calibrations of one camera also differ by a small turn of the camera's frame, which poses take "
        + "up; the turn that suits best is taken out first, weighted by how well each part of the "
        + "image is known. The expected difference is worked out from both covariances after the same "
        + "fit, from the larger of noise and view-to-view.",
      "They differ (status 3) where the mean over the image of (difference/expected)^2 would come "
        + "about by chance less than once in a thousand times, allowing for the few numbers that all "
        + "differences rest on and for the few views that the uncertainties rest on. Where neither "
        + "says how well it is known, the limit is 0.1 % of the image's diagonal for 90 % of the "
        + "image.",
      "Otherwise the last line says what that is worth. Doubtful: by chance less than once in twenty "
        + "times. Not told apart: it may be chance, but what is known of them leads to expect more than "
        + "0.1 % of the diagonal for 90 % of the image (1.4 times as much where both say how well they are "
        + "known), so that even another camera might pass. No difference seen: it may be chance, and they "
        + "are known better than that. In --json it is \"outcome\": differ, doubtful, notToldApart or "
        + "noDifference.",
      "The picture shows for each of 16x9 parts of the image the largest difference in it.",
    ],
    operands: .init(
      "CALIBRATION", count: 2...2, completion: .files,
      help: "A file (a stored record, or a calibration file that import-calibration reads), or "
        + "DEVICE@WIDTHxHEIGHT for the stored calibration of a device, with #TIME behind it for one of "
        + "its history (as show-intrinsics --history shows it, or like 2026-11-30T05:21:30Z). The size may be left out where "
        + "only one is stored."),
    groups: [
      OptionGroup("Calibrations", [scale, store]),
      OptionGroup("Output", [json, quiet]),
    ],
    exclusive: [["json", "quiet"]],
    examples: [
      .init(
        "Is what is stored still true? (calibrate --dry-run --json PHOTOS > new.json)",
        command: "compare-calibrations left@640x480 new.json"),
      .init(
        "Today's against an earlier one:",
        command: "compare-calibrations left@640x480 left@640x480#2026-11-30T05:21:30Z"),
      .init(
        "The 90 % level of the difference, for a script:",
        command: "compare-calibrations --json a.json b.json | jq .difference.p90"),
    ],
    environment: [
      .init("CAMERA_CALIBRATIONS", "Root of the store, unless --store is given."),
      .init("XDG_DATA_HOME", "Where the user's store lies; by default ~/.local/share."),
    ],
    files: [
      .init("calibrations", "The store, where the working folder has such a folder."),
      .init("~/.local/share/camera-calibrations", "The user's store, where there is none."),
    ],
    seeAlso: ["calibrate(1)", "show-intrinsics(1)", "import-calibration(1)"])
}
