import CalibrationStore
import CameraModel
import CommandRunning
import Foundation
import TestSupport
import Testing

/// Folders as they are found in the world: damaged, without a board, turned, mixed.
@Suite("Odd folders", .withRealPhotographs)
struct OddFolderTests {
  /// OpenCV fills what is missing of a JPEG with grey and says nothing that a program could see.
  @Test(arguments: [
    ("100x100", "truncated_jpeg.jpg", "truncated"), ("2725x2225", "truncated.jpg", "truncated"),
    ("294x240", "truncated.png", "truncated"), ("128x128", "broken_data_stream.png", "damaged"),
    ("640x480", "truncated_image.png", "truncated"),
  ])
  func damagedPictureIsNamedAndNotUsed(size: String, file: String, fault: String) throws {
    let run = try CalibrateRun(
      ["--board", "9x6", "--size", size, SharedData.path("corrupt-files")])
    #expect(run.status == 1, "\(run.messages)")
    #expect(run.output == "")
    let said = run.messages.split(separator: "\n").filter { $0.contains("/" + file + ":") }
    #expect(said.count == 1 && said[0].contains(fault), "\(run.messages)")
    #expect(run.messages.contains("could not be read"), "\(run.messages)")
    // Those that have no size are always named.
    for name in ["broken.png", "corrupt-header.jpg"] {
      #expect(run.messages.contains("/" + name + ": the "), "\(run.messages)")
    }
    #expect(!run.messages.contains("Fatal error"))
  }

  static let boards = runsLongTests ? ["9x6", "7x7", "5x4"] : ["5x4"]
  static let sizes =
    ["88x64", "636x227", "640x480"]
    + (runsLongTests
      ? [
        "558x563", "1280x720", "1280x800", "1280x640", "1749x964", "1800x1200", "1200x1800",
        "1536x2048", "2880x1093",
        "3840x2160",
      ] : [])

  /// Gardens, roads, a sudoku, graph paper, a hall; the smallest board is the easiest to mistake.
  @Test(arguments: boards, sizes) func nothingIsTakenForABoard(board: String, size: String) throws {
    let run = try CalibrateRun(
      ["--board", board, "--size", size, SharedData.path("no-board")])
    #expect(run.status == 1, "\(run.messages)")
    #expect(run.messages.contains("No \(board) board was found in"), "\(run.messages)")
    #expect(run.record == nil)
  }

  /// 12 photographs that ask to be shown upright, and one of another camera.
  @Test func turnedPhotographsKeepTheSensorsGridAndStrangersAreNamed() throws {
    let run = try Calibrations.shared.run(.woodBoard)
    let record = try #require(run.record)
    #expect(record.camera.resolution == Resolution(width: 934, height: 700))
    #expect(run.messages.contains("EXIF orientation is ignored (12 of 12"), "\(run.messages)")
    #expect(run.messages.contains("Series1_4.jpg: is 1920x1080, most are 934x700"))
    #expect(record.device.identifiedBy.contains("EXIF"))
    #expect(record.views.count { $0.used } >= 11)
    let stranger = try #require(record.views.first { $0.source.hasSuffix("Series1_4.jpg") })
    #expect(!stranger.used && stranger.reason?.contains("1920x1080") == true)
    // In the sensor's grid the longer side is the width. OpenCV, turned: 356.9, 461.1.
    #expect(abs(record.camera.intrinsics.cx - 461) < 12)
    #expect(abs(record.camera.intrinsics.cy - 343) < 12)
  }

  /// Called weak in the set's own description: whatever the class, it does not look trustworthy.
  @Test func weakTurnedSetSaysWhatItLacks() throws {
    let verdict = try #require(try Calibrations.shared.run(.woodBoard).record?.verdict)
    // The wood is bent by half a millimetre in 240: with that all coefficients fit.
    #expect(verdict.level != .good)
    let reasons = verdict.reasons.joined(separator: " ")
    #expect(reasons.contains("which saw none") && reasons.contains("Views disagree"), "\(reasons)")

    let run = try CalibrateRun(PhotographSet.woodBoard.arguments + ["--no-bend"])
    let flat = try #require(run.record?.verdict)
    // k2, p1 and p2, which nearly every lens needs, fold over; without them views disagree.
    #expect(flat.level == .poor)
    let others = flat.reasons.joined(separator: " ")
    #expect(others.contains("k2, p1 and p2 are held at 0"), "\(others)")
    #expect(others.contains("which saw none") && others.contains("Views disagree"), "\(others)")
  }

  /// Both cameras of a stereo pair in one folder: every residual is small, and no figure true.
  @Test func twoCamerasInOneFolderAreToldApart() throws {
    let run = try CalibrateRun(["--board", "9x6", SharedData.path("opencv-stereo-vga")])
    #expect(run.status == 2, "\(run.messages)")
    let verdict = try #require(run.record?.verdict)
    #expect(verdict.level == .poor)
    let reason = try #require(verdict.reasons.first { $0.contains("two cameras") })
    let others = ["left", "right"].filter { side in
      !(1...9).contains { reason.contains("\(side)0\($0).jpg") }
    }
    #expect(others.count == 1, "\(reason)")
    #expect(reason.contains("the other 13 views"), "\(reason)")
  }
}
