import CommandLineTool

/// A command with every kind of option, for the tests.
enum SampleCommand {
  enum Lens: String, Sendable, CaseIterable {
    case pinhole
    case rational
    case fisheye
  }

  static let board = Option.required(
    "board", short: "b", .board,
    help: "Inner corners of the chessboard, columns x rows. 9x6 and 6x9 are the same board.")
  static let square = Option.optional(
    "square", .length, help: "Side of a square with its unit; K does not depend on it.")
  static let lens = Option.defaulted(
    "lens", .choice("MODEL") as ValueKind<Lens>, default: .pinhole, help: "Lens model.")
  static let size = Option.optional("size", .size, help: "Use only images of this size.")
  static let jobs = Option.optional("jobs", short: "j", .count(in: 1...256), help: "Threads.")
  static let skip = Option.repeated(
    "skip", .text("NAME"), help: "Leave this image out; repeatable.")
  static let store = Option.optional("store", .folder, help: "Root of the store.")
  static let quiet = Option.flag("quiet", short: "q", help: "Say only warnings and errors.")
  static let verbose = Option.flag("verbose", short: "v", help: "Say more.")

  static let command = CommandDescription(
    name: "sample",
    summary: "measure nothing at all, but with every kind of option",
    details: [
      "A paragraph that is long enough to be wrapped at eighty columns, which is what a terminal has "
        + "where nobody has made it wider.",
      ".A paragraph that begins with a full stop and has a back\\slash, for the manual page.",
    ],
    operands: .init("SOURCE", count: 0...1000, completion: .files, help: "Images and folders."),
    groups: [
      OptionGroup("Board", [board, square]),
      OptionGroup("Work", [lens, size, jobs, skip, store]),
      OptionGroup("Output", [quiet, verbose]),
    ],
    exclusive: [["quiet", "verbose"]],
    examples: [.init("The photographs in a folder:", command: "sample --board 9x6 photos/")],
    exitStatuses: [.success, .noCalibration, .usage, .interrupted],
    environment: [.init("CAMERA_CALIBRATIONS", "Root of the store.")],
    files: [.init("~/.local/share/camera-calibrations", "The user's store.")],
    seeAlso: ["show-intrinsics(1)"])

  static func parse(_ arguments: String...) throws -> ParsedArguments {
    guard case .run(let parsed) = try command.parse(arguments) else {
      throw UsageError(subject: "", message: "shows a text")
    }
    return parsed
  }
}
