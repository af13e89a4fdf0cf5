import CommandLineTool

extension ListCommand {
  static let json = Option.flag(
    "json", help: "Print a JSON array, with an object for each camera.")
  static let store = Option.optional(
    "store", .folder, help: "Root of the store; by default as under FILES.")
  static let quiet = Option.flag(
    "quiet", short: "q", help: "Say nothing on standard error but warnings and errors.")

  static var description: CommandDescription {
    var description = table
    description.exitStatuses = [
      (.success, "Done, also where no camera is attached."),
      (.sourceUnavailable, "The store or /sys cannot be read."),
      (.noPermission, ExitStatus.noPermission.meaning),
    ]
    return description
  }

  private static let table = CommandDescription(
    name: "list-cameras",
    summary: "list the attached cameras and what is calibrated",
    details: [
      "Prints for each camera its device file, its name, the id that its calibrations are filed "
        + "under and what that id rests on; then the formats, sizes and frame rates that it "
        + "offers, each with the verdict of its calibration where there is one.",
      "The device file, the id and the name are what other commands take as a device. The number in "
        + "the device file changes when cameras are plugged in again; the id does not. A camera "
        + "that cannot be used now is listed with a note why. Nothing in a camera is changed.",
    ],
    groups: [OptionGroup("Options", [json, store, quiet])],
    examples: [
      .init("All that is attached:", command: "list-cameras"),
      .init("The ids for a script:", command: "list-cameras --json | jq -r '.[].id'"),
    ],
    environment: [
      .init("CAMERA_CALIBRATIONS", "Root of the store, unless --store is given."),
      .init("XDG_DATA_HOME", "Where the user's store lies; by default ~/.local/share."),
    ],
    files: [
      .init("/sys/class/video4linux", "Where the kernel describes video devices."),
      .init("calibrations", "The store, where the working folder has such a folder."),
      .init(
        "~/.local/share/camera-calibrations",
        "The user's store: used where there is none in the working folder, and read after it."),
    ],
    seeAlso: ["calibrate(1)", "show-intrinsics(1)"])
}
