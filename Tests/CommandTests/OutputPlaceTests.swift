import Foundation
import Testing

/// Where commands write, when that is no ordinary file or can't be written.
@Suite("Places to write to")
struct OutputPlaceTests {
  /// More than a pipe holds.
  private static let largeBoard = "--board 60x60 --square 3mm --format svg -q -o"

  private func run(_ line: String, _ name: String = "make-board") throws -> BuiltCommand.Outcome {
    try BuiltCommand.runShell(line, [BuiltCommand(name: name).path])
  }

  @Test("A pipe takes a file, also where its reader comes later")
  func pipes() throws {
    let outcome = try run(
      """
      mkfifo p; "$0" --board 9x6 --square 20mm --format svg -q -o p & tail -n 1 p; wait $!; echo $?
      """)
    #expect(outcome.output == "</svg>\n0\n", "\(outcome)")
    #expect(outcome.errors == "")
  }

  @Test(
    "A signal ends the writing into a pipe that takes no more",
    arguments: [("TERM", 143), ("HUP", 129)], [">p -o -", "-o p"])
  func signals(signal: (name: String, status: Int), place: String) throws {
    // The shell holds both ends open. That the first bytes are there says that the rest waits.
    let outcome = try run(
      """
      mkfifo p; exec 3<>p
      "$0" \(Self.largeBoard.replacing(" -o", with: "")) \(place) & head -c 4 p >seen
      kill -\(signal.name) $!; wait $!; echo $?
      """)
    #expect(outcome.output == "\(signal.status)\n", "\(outcome)")
    #expect(outcome.errors == "make-board: interrupted\n")
  }

  @Test("A reader that goes away ends the writing with 73")
  func readerGone() throws {
    let outcome = try run("mkfifo p; head -c 4 p >seen & \"$0\" \(Self.largeBoard) p; echo $?")
    #expect(outcome.output == "73\n")
    #expect(outcome.errors.hasPrefix("make-board: p: the reader of this pipe went away"))
  }

  @Test(
    "What is no file is refused by what it is",
    arguments: [(".", "is a folder"), ("/dev/full", "No space left on device")])
  func noFile(place: String, words: String) throws {
    let outcome = try run("\"$0\" --board 9x6 --square 20mm --format svg -o \(place)")
    #expect(outcome.status == 73)
    #expect(outcome.errors.hasPrefix("make-board: \(place): "), "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!outcome.errors.contains("--store"), "\(outcome.errors)")
  }

  @Test("What can't be written is named as the user named it", arguments: ["./b.svg", "no/b.svg"])
  func names(place: String) throws {
    // The thread sanitizer's runtime writes a file at the start and would meet the limit first.
    guard dlsym(nil, "__tsan_init") == nil else { return }
    let outcome = try run(
      "ulimit -f 1; exec \"$0\" --board 9x6 --square 20mm --format svg -o \(place)")
    #expect(outcome.status == 73)
    #expect(outcome.errors.hasPrefix("make-board: \(place): cannot write the file: "))
    #expect(
      outcome.errors.contains(place.hasPrefix("no") ? "make that first" : "ulimit -f"),
      "\(outcome.errors)")
    #expect(!outcome.errors.contains("--store"), "\(outcome.errors)")
  }

  @Test("Pipes in place of what is read or of a store are refused, and nothing waits for them")
  func pipesToRead() throws {
    for (name, arguments, status) in [
      ("import-calibration", "p", 66), ("calibrate", "--board 9x6 p", 66),
      ("show-intrinsics", "--store p", 66), ("list-cameras", "--store p", 66),
      ("show-intrinsics", "left --store s", 66),
      ("import-calibration", "c.json --store p", 73),
      // A pipe can be locked as well as a file.
      ("import-calibration", "c.json --store t", 0),
      ("calibrate", "--board 9x6 a.pgm --draw p", 64),
      ("calibrate", "--board 9x6 --keep-frames p", 64),
    ] {
      let outcome = try run(
        """
        mkfifo p; mkdir -p s/name%3Aleft t; mkfifo s/name%3Aleft/640x480.json t/.lock
        cat >c.json <<'END'
        image_width: 640
        image_height: 480
        camera_matrix: {rows: 3, cols: 3, data: [500, 0, 320, 0, 500, 240, 0, 0, 1]}
        distortion_coefficients: {rows: 1, cols: 5, data: [0, 0, 0, 0, 0]}
        END
        exec "$0" \(arguments)
        """, name)
      #expect(outcome.status == status, "\(name) \(arguments): \(outcome)")
    }
  }
}
