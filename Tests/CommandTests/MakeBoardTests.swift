import Foundation
import Testing

@Suite("make-board")
struct MakeBoardTests {
  private static let command = BuiltCommand(name: "make-board")

  /// Runs it and lists what lies in the folder afterwards, with the first bytes of each file.
  private func run(_ arguments: String, before: String = "") throws -> BuiltCommand.Outcome {
    try BuiltCommand.runShell(
      before + "\"$0\" \(arguments); status=$?; for f in *; do printf '%s: ' \"$f\"; "
        + "head -c 4 \"$f\" | tr -d '\\0\\211'; echo; done; exit $status", [Self.command.path])
  }

  @Test("Paper: each format by the file's ending, and what to do next is said")
  func formats() throws {
    for (name, start) in [("board.pdf", "%PDF"), ("B.SVG", "<?xm"), ("board.png", "PNG")] {
      let outcome = try run(
        "--board 9x6 --square 20mm --dpi 60 -o \(name)".replacing(
          name.hasSuffix("png") ? "!" : "--dpi 60 ", with: ""))
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output == "\(name): \(start)\n")
      for words in ["A4 landscape", "100 %", "calibrate --board 9x6 --square 20mm", "160x100mm"] {
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
      }
    }
  }

  @Test("The usual board needs A3 with its full margin, and that is said")
  func usualBoard() throws {
    let outcome = try run("--board 9x6 --square 25mm -o board.pdf")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("A3 landscape"))
    // Both ways out are options that work as they stand.
    let ways = try #require(
      outcome.errors.firstMatch(
        of: /On A4: (--square \S+mm), or these squares with (--paper a4 --margin \S+mm)\./),
      "\(outcome.errors)")
    for options in ["\(ways.1)", "--square 25mm \(ways.2)"] {
      let other = try run("--board 9x6 \(options) -o board.pdf")
      #expect(other.status == 0 && other.errors.contains("A4 landscape"), "\(other.errors)")
    }
  }

  @Test("What does not fit names the largest squares that do, and leaves no file")
  func doesNotFit() throws {
    let outcome = try run("--board 9x6 --square 25mm --paper a4 -o board.pdf")
    #expect(outcome.status == 64)
    let words = try #require(outcome.errors.firstMatch(of: /largest squares that fit are (\S+mm)/))
    #expect(outcome.output == "*: \n")
    let other = try run("--board 9x6 --square \(words.1) --paper a4 -q -o board.pdf")
    #expect(other.status == 0)
    #expect(other.errors == "")
  }

  @Test("A screen: its size and pixels make a PNG, and the exact square is said")
  func screen() throws {
    let outcome = try run("--board 9x6 --screen 27in 2560x1440 -o s.png")
    #expect(outcome.status == 0, "\(outcome)")
    // 685.8 mm over 2937.21 pixels of the diagonal.
    let words = try #require(
      outcome.errors.firstMatch(of: /A square is (\d+) x \d+ pixels; .* that is ([\d.]+) mm/))
    let (pixels, square) = (try #require(Double(words.1)), try #require(Double(words.2)))
    #expect(abs(square - pixels * 685.8 / 2937.21) < 0.001)
    #expect(outcome.errors.contains("calibrate --board 9x6 --square \(words.2)mm"))
  }

  @Test(
    "What can't be meant is refused with what to write",
    arguments: [
      ("--board 9x6 -o b.pdf", "--square 25mm"),
      ("--board 9x6 --square 25mm -o board.jpg", "--format"),
      ("--board 9x6 --square 25mm -o board", "--format"),
      ("--board 9x6 --square 25mm -o -", "standard output has no name"),
      ("--board 9x6 --screen 27in 2560x1440 --format pdf -o -", "and pdf was asked for"),
      ("--board 9x6 --square 250mm -o b.pdf", "any sheet from A4 landscape to A0 portrait"),
      ("--board 9x6 --square 0.0001mm -o s.pdf", "squares of 0.0001 mm"),
      ("--board 9x6 --screen 27in -o s.png", "--screen 27in 2560x1440"),
      ("--board 9x6 --screen 27in 2560 -o s.png", "PIXELS '2560'"),
      ("--board 9x6 --screen 27in 2560x1440 -o s.pdf", "makes a PNG"),
      ("--board 9x6 --square 25mm 2560x1440 -o s.pdf", "--screen"),
      ("--board 9x6 --square 25mm --paper a9 -o s.pdf", "300x400mm"),
      ("--board 9x6 --square 25mm --paper 1x1mm -o s.pdf", "20mm to 5m"),
      ("--board 9x6 --square 25mm --paper 300x400 -o s.pdf", "400mm"),
      ("--board 9x6 --square 25mm --dpi 100 -o s.pdf", "--dpi is for PNG"),
      ("--board 9x6 --square 25mm --paper a0 --dpi 2400 -o s.png", "lower --dpi"),
      ("--board 9x6 --square 25mm --margin 1mm -o s.pdf", "fifth"),
      ("--board 9x6 --square 0.01mm -o s.pdf", "0.1 mm to 10 m"),
      ("--board 9x6 --square 5m -o s.pdf", "does not fit"),
      ("--board 100x100 --screen 1in 64x48 -o s.png", "does not fit"),
    ])
  func refusals(arguments: String, words: String) throws {
    let outcome = try run(arguments)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.output == "*: \n")
  }

  @Test("A file is replaced by a complete one; where that can't be, it stays and nothing is left")
  func replacing() throws {
    let done = try run("--board 9x6 --square 20mm -q -o b.pdf", before: "echo old > b.pdf; ")
    #expect(done.status == 0)
    #expect(done.output == "b.pdf: %PDF\n")
    let nowhere = try run("--board 9x6 --square 20mm -o missing/b.pdf")
    #expect(nowhere.status == 73)
    #expect(nowhere.errors.contains("missing"), "\(nowhere.errors)")
    #expect(nowhere.output == "*: \n")
    // The thread sanitizer's runtime writes a file at the start and would meet the limit first.
    guard dlsym(nil, "__tsan_init") == nil else { return }
    let full = try run(
      "--board 9x6 --square 20mm -o b.pdf", before: "echo old > b.pdf; ulimit -f 1; ")
    #expect(full.status == 73)
    #expect(full.output == "b.pdf: old\n\n")
  }

  @Test(
    "calibrate --board-size takes the lengths between inner corners, and no others",
    arguments: [
      ("--board 9x6 --board-size 200x125mm", "No SOURCE"),
      ("--board 9x6 --board-size 125x200mm", "15.6 x 40.0 mm"),
      ("--board 9x6 --board-size 250x175mm", "31.3 x 35.0 mm"),
      ("--board 9x6 --square 25mm --board-size 200x125mm", "--square"),
      ("--board 6x6 --board-size 125.2x125mm", "turned by 90 degrees"),
      ("--board 6x6 --board-size 125x125mm", "No SOURCE"),
      ("--board 7x7 --board-size 150.2x150mm", "No SOURCE"),
    ])
  func boardSize(arguments: String, words: String) throws {
    let outcome = try BuiltCommand.runShell(
      "\"$0\" \(arguments) --dry-run", [BuiltCommand(name: "calibrate").path])
    #expect(outcome.status == (words == "No SOURCE" ? 69 : 64))
    #expect(outcome.errors.lowercased().contains(words.lowercased()), "\(outcome.errors)")
  }

  @Test("Standard output takes the file, too")
  func standardOutput() throws {
    let outcome = try BuiltCommand.runShell(
      "\"$0\" --board 9x6 --square 20mm --format svg -q -o - | tail -n 1", [Self.command.path])
    #expect(outcome.output == "</svg>\n")
    #expect(outcome.errors == "")
    // A screen leaves no choice of format.
    let screen = try BuiltCommand.runShell(
      "\"$0\" --board 9x6 --screen 27in 2560x1440 -q -o - | head -c 4 | tail -c 3",
      [Self.command.path])
    #expect(screen.output == "PNG")
    #expect(screen.errors == "")
  }
}
