import CommandLineTool

/// A command with an option of every kind.
enum FuzzedCommand {
  static let description = CommandDescription(
    name: "fuzzed", summary: "read every kind of option",
    operands: .init("SOURCE", count: 0...3, help: "Anything."),
    groups: [
      OptionGroup(
        "All",
        [
          Option.required("board", short: "b", .board, help: "Board."),
          Option.optional("square", .length, help: "Length."),
          Option.optional("size", .size, help: "Size."),
          Option.optional("jobs", short: "j", .count(in: 1...64), help: "Count."),
          Option.defaulted(
            "lens", .choice("MODEL", [("pinhole", 1), ("fisheye", 2)]), default: 1, help: "Choice."),
          Option.repeated("skip", .text("NAME"), help: "Text."),
          Option.flag("quiet", short: "q", help: "Flag."),
          Option.flag("verbose", short: "v", help: "Flag."),
        ])
    ],
    exclusive: [["quiet", "verbose"]])
}
