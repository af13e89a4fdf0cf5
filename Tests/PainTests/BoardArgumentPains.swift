import BoardRendering
import CalibrationStore
import CameraModel
import CommandRunning
import Foundation
import Testing

/// What goes wrong with the numbers that describe the board.
@Suite struct BoardArgumentPains {
  /// The sample frames that come with the package: 14 views of 9x6 corners, squares of 25 mm.
  static let samples = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "samples/board-sequence").path(percentEncoded: false)

  static func calibrate(_ arguments: [String]) throws -> IntrinsicsRecord {
    let run = try CalibrateRun(arguments + [samples])
    return try #require(run.record, "\(run.messages)")
  }

  static let usual = Result { try calibrate(["--board", "9x6", "--square", "25mm", "-j", "1"]) }

  /// Pain 18: a finder that is asked for the number of squares just says no.
  @Test(arguments: runsLongTests ? ["10x7", "8x6", "9x5"] : ["10x7"])
  func theSquareCountIsTakenForCorners(board: String) throws {
    let photographs = try RenderedPhotographs(Scenes.random(1, seed: 18))
    let run = try CalibrateRun(["--board", board, photographs.path])
    #expect(run.status == 1)
    #expect(run.messages.contains("9x6 inner corners"), "\(run.messages)")
    #expect(run.messages.contains("10x7 squares"), "\(run.messages)")
    #expect(run.messages.contains("--board 9x6"), "\(run.messages)")
  }

  /// Pain 20: rows and columns swapped in the object grid give an absurd camera.
  @Test func sixByNineGivesAnotherCamera() throws {
    let usual = try Self.usual.get()
    let swapped = try Self.calibrate(["--board", "6x9", "--square", "25mm"])
    // It is the same board, and the same work is done: the same bits.
    #expect(swapped.camera == usual.camera)
    #expect(swapped.views == usual.views)
  }

  /// Pain 10: another number of threads, another answer.
  @Test func theNumberOfThreadsChangesTheResult() throws {
    let usual = try Self.usual.get()
    var threaded = try Self.calibrate(["--board", "9x6", "--square", "25mm", "--jobs", "4"])
    // The whole record, bit by bit, however busy the machine is: searches end by their work.
    threaded.created = usual.created
    #expect(threaded == usual)
  }

  /// Pain 42: a square size that was misread, which scales the poses and nothing else.
  @Test func aWrongSquareSizeChangesTheCamera() throws {
    let usual = try Self.usual.get()
    let inches = try Self.calibrate(["--board", "9x6", "--square", "1in"])
    let unknown = try Self.calibrate(["--board", "9x6"])
    for other in [inches, unknown] {
      for (a, b) in zip(usual.camera.parameterVector, other.camera.parameterVector) {
        // Lengths are rounded in other places, and the fit ends within 1e-4 of a deviation.
        #expect(abs(a - b) <= 1e-6 * max(abs(a), 0.1))
      }
    }
    for (a, b) in zip(usual.views, inches.views) {
      let (near, far) = (try #require(a.pose).translation, try #require(b.pose).translation)
      #expect(abs(far.z / near.z - 25.4 / 25) < 1e-6)
    }
    #expect(unknown.board?.squareSize == nil)
    // The user is told that it does no harm.
    let help = try CalibrateRun(["--help"]).output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(help.contains("Focal lengths, centre and distortion do not depend on it"))
  }

  /// Pain 55: combinations of options that nobody tried, before a single frame has arrived.
  ///
  /// Unlike the random command lines of CommandTests these are all well formed, and end at a source
  /// that is missing, empty, no picture, or damaged.
  @Test func someCombinationOfOptionsTraps() throws {
    let photographs = try RenderedPhotographs(named: "sources")
    try photographs.add("empty.png", [UInt8]())
    try photographs.add("text.txt", Array("no picture".utf8))
    try photographs.add("short.pgm", Array("P5 640 480 255\n".utf8))
    try photographs.add("tiny.pgm", Array("P5 1 1 255\n\0".utf8))
    try FileManager.default.createDirectory(
      atPath: photographs.path + "/nothing", withIntermediateDirectories: false)
    let sources = [
      "missing.jpg", "nothing", "empty.png", "text.txt", "short.pgm", "tiny.pgm", ".", "*.gif",
      "*.pgm", "/dev/null", "/dev/video99",
    ]
    let options: [[String]] = [
      ["--square", "25mm"], ["--square=1in"], ["--lens", "rational"], ["--lens", "fisheye"],
      ["--coefficients", "0"], ["--coefficients", "4"], ["--coefficients", "8"],
      ["--size", "640x480"], ["--size", "1x1"], ["--every", "7"], ["--max-views", "3"],
      ["-j", "1"], ["--jobs", "9"], ["--device-name", "é 1"], ["--device", "name:x"],
      ["--device", "/dev/video99"], ["--replace"], ["--dry-run"], ["--json"], ["--quiet"],
      ["--verbose"], ["--draw", photographs.path + "/drawn"],
    ]
    let documented: Set<Int> = [1, 64, 66, 69, 77]
    var random = SeededGenerator(seed: 55)
    for _ in 0..<100 {
      var arguments = ["--board", ["9x6", "3x3", "1000x1000"][random.index(below: 3)]]
      for _ in 0..<random.index(below: 6) {
        arguments += options[random.index(below: options.count)]
      }
      for _ in 0...random.index(below: 2) {
        let source = sources[random.index(below: sources.count)]
        arguments.append(source.hasPrefix("/") ? source : photographs.path + "/" + source)
      }
      let run = try CalibrateRun(arguments, secondsAtMost: 60)
      #expect(documented.contains(run.status), "\(arguments): \(run.status) \(run.messages)")
      #expect(run.messages.contains("calibrate: "), "\(arguments) fails without a word")
      #expect(run.output == "", "\(arguments): \(run.output)")
    }
  }
}
