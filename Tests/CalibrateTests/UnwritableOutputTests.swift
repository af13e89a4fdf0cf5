import CommandRunning
import Foundation
import Testing

/// Places for results that take none.
@Suite("Unwritable results")
struct UnwritableOutputTests {
  private static let usual = ["--board", "9x6", "--square", "25mm"]

  @Test("Pictures of --draw that can't be written are one error, and the calibration is stored")
  func drawings() throws {
    let folder = try TemporaryFolder(named: "drawings")
    // Folders stand where two of the pictures are to be.
    for number in [2, 5] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/000\(number)-board0\(number).jpg",
        withIntermediateDirectories: false)
    }
    let run = try CalibrateRun(
      Self.usual + ["--quiet", "--draw", folder.path, CornersTests.samples])
    #expect(run.status == 73, "\(run.messages)")
    #expect(run.record != nil)
    #expect(run.messages.split(separator: "\n").count == 1, "\(run.messages)")
    #expect(run.messages.contains("2 of 14 pictures could not be written"), "\(run.messages)")
    #expect(run.messages.contains("The calibration itself was stored"), "\(run.messages)")
  }

  @Test("A store that is a file is refused before anything is measured")
  func storeIsAFile() throws {
    let folder = try TemporaryFolder(named: "store")
    let file = folder.path + "/file"
    try Data("text".utf8).write(to: URL(filePath: file))
    for root in [file, file + "/below"] {
      let run = try CalibrateRun(Self.usual + [CornersTests.samples], intoStoreAt: root)
      #expect(run.status == 64, "\(run.messages)")
      #expect(run.messages.contains("the calibration could not be stored"), "\(run.messages)")
      #expect(run.messages.contains("--dry-run"), "\(run.messages)")
      #expect(run.output == "")
      #expect(!run.messages.contains("Looking for the board"), "\(run.messages)")
      // Without storing it is no concern.
      let dry = try CalibrateRun(
        Self.usual + ["--dry-run", CornersTests.samples], intoStoreAt: root)
      #expect(dry.status == 0, "\(dry.messages)")
    }
  }

  @Test("What is measured is kept where the store takes it no more")
  func storeFailsDuringTheRun() throws {
    // The folder of the device is a file: only the attempt to store finds out.
    let folder = try TemporaryFolder(named: "store")
    try Data("text".utf8).write(to: URL(filePath: folder.path + "/name%3Asample"))
    let run = try CalibrateRun(
      Self.usual + ["--device-name", "sample", CornersTests.samples], intoStoreAt: folder.path)
    #expect(run.status == 73, "\(run.messages)")
    #expect(run.output.contains("\"intrinsics\""), "\(run.output)")
    #expect(run.messages.contains("import-calibration"), "\(run.messages)")
    if let path = run.messages.split(whereSeparator: \.isWhitespace)
      .first(where: { $0.contains("/calibration-name") })
    {
      let file = path.trimmingCharacters(in: CharacterSet(charactersIn: ":,"))
      try? FileManager.default.removeItem(atPath: file)
    }
  }
}
