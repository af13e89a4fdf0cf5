import BoardPrinting
import CommandLineTool

/// The option table of `make-board`: parsing, help, manual page and completions all come from it.
enum MakeBoardCommand {
  static let board = Option.required(
    "board", .board,
    help: "The board's inner corners, columns x rows, as calibrate counts them: 9x6 is a board of "
      + "10x7 squares.")
  static let square = Option.optional(
    "square", .length,
    help:
      "The side of a square with its unit, for example 25mm (mm, cm, m or in). Needed for paper; "
      + "for a screen the nearest whole number of pixels is taken, and the largest that fits without "
      + "this option.")
  static let paper = Option.optional(
    "paper", .paper,
    help:
      "The paper: a0 to a6, letter, legal, tabloid, or a size like 300x400mm. It is laid upright or "
      + "across, whichever fits. Without it the smallest of a4, a3, a2, a1, a0 that holds the board."
  )
  static let margin = Option.optional(
    "margin", .length,
    help:
      "The least white margin around the squares. Without it the side of a square: detection is "
      + "surest with that.")
  static let screen = Option.optional(
    "screen", .length.named("DIAGONAL"),
    help: "Make a picture for a screen of this diagonal, for example 27in, and the pixels given as "
      + "operand: a PNG of whole pixels a square.")
  static let output = Option.required(
    "output", short: "o", .file,
    help:
      "The file to write, or - for standard output. A file that is there is replaced, once the new "
      + "one is complete.")
  static let format = Option<BoardDocument.Format?>.optional(
    "format", .choice("FORMAT"),
    help: "pdf, svg or png. Without it the ending of the file's name says it.")
  static let dpi = Option.defaulted(
    "dpi", .count(in: 50...2400), default: 300,
    help: "The resolution of a PNG for paper, in dots an inch.")
  static let quiet = Option.flag(
    "quiet", short: "q", help: "Say only warnings and errors on standard error.")

  static var description: CommandDescription {
    var description = table
    description.exitStatuses = [
      (.success, ExitStatus.success.meaning),
      (.usage, "The command line is wrong, or the board does not fit."),
      (.sourceUnavailable, "There is no font to write the board's description with."),
      (.notStored, "The file could not be written."),
      (.noPermission, ExitStatus.noPermission.meaning),
    ]
    return description
  }

  private static let table = CommandDescription(
    name: "make-board",
    summary: "make a chessboard to calibrate with, for paper or a screen",
    details: [
      "Writes a chessboard at its true size as PDF, SVG or PNG. The command that calibrates with it, "
        + "rulers of 100 mm in both directions and what to measure are printed below it and at its left.",
      "Print it at 100 % (actual size), never fitted to the page, and glue it flat on something stiff. "
        + "Then measure both rulers. Printers often stretch one direction by some tenths of a per cent, "
        + "which would falsify one focal length against the other: where the rulers are not right, "
        + "measure with a good ruler from the first to the last inner corner, across and down, and give "
        + "calibrate the two lengths as --board-size instead of --square.",
      "For a screen every square is a whole number of pixels, and the exact size that results from the "
        + "diagonal is said. Show the picture full-screen and unscaled.",
    ],
    operands: CommandDescription.Operands(
      "PIXELS", count: 0...1,
      help: "With --screen: the screen's pixels, WIDTHxHEIGHT, for example 2560x1440."),
    groups: [
      OptionGroup("Board", [board, square]),
      OptionGroup("Paper or screen", [paper, margin, screen]),
      OptionGroup("Output", [output, format, dpi, quiet]),
    ],
    exclusive: [["paper", "screen"], ["dpi", "screen"]],
    examples: [
      CommandDescription.Example(
        "The usual board.", command: "make-board --board 9x6 --square 25mm -o board.pdf"),
      CommandDescription.Example(
        "On A4, with a narrower white margin.",
        command: "make-board --board 9x6 --square 25mm --paper a4 --margin 6mm -o board.pdf"),
      CommandDescription.Example(
        "For a 27-inch screen.",
        command: "make-board --board 9x6 --screen 27in 2560x1440 -o board.png"),
    ],
    seeAlso: ["calibrate(1)"])
}

extension ValueKind where Value == Paper {
  /// A named paper or its size.
  fileprivate static var paper: ValueKind {
    let words = Paper.named.map(\.word)
    return ValueKind(metavariable: "PAPER", completion: .words(words)) {
      (text) throws(ValueError) in
      if let named = Paper.named.first(where: { $0.word == text.lowercased() }) {
        return named.paper
      }
      guard text.first.map({ $0.isNumber && $0.isASCII }) == true else {
        throw ValueError(
          "it must be \(words.joined(separator: ", ")) or a size like 300x400mm")
      }
      let size = try ValueKind<PlaneSize>.planeSize.read(text)
      guard min(size.width, size.height) >= 0.02, max(size.width, size.height) <= 5 else {
        throw ValueError("paper has sides from 20mm to 5m")
      }
      return Paper(width: size.width, height: size.height)
    }
  }
}
