import CommandRunning
import Foundation
import Testing

@Suite("Replaced calibrations")
struct ReplacementTests {
  /// A table of the sample photographs' points, in a folder `points`, enlarged about the middle.
  private func table(of dump: String, enlarged factor: Double) throws -> (TemporaryFolder, String) {
    let text = String(decoding: try Data(contentsOf: URL(filePath: dump)), as: UTF8.self)
    let lines = text.split(separator: "\n").map { line -> String in
      var fields = line.split(separator: " ").map(String.init)
      guard !line.hasPrefix("#"), let x = Double(fields[1]), let y = Double(fields[2]) else {
        return String(line)
      }
      fields[1] = "\(320 + factor * (x - 320))"
      fields[2] = "\(240 + factor * (y - 240))"
      return fields.joined(separator: " ")
    }
    let folder = try TemporaryFolder(named: "points")
    let path = folder.path + "/table.vnl"
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
    return (folder, path)
  }

  @Test(
    "Photographs of another camera in a folder of the same name do not replace the first unnoticed")
  func sameFolderName() throws {
    let store = try TemporaryFolder()
    let dump = store.path + "/dump.vnl"
    let first = try CalibrateRun(
      ["--board", "9x6", "--dry-run", "--dump-corners", dump, CornersTests.samples])
    #expect(first.status == 0, "\(first.messages)")
    let size = "640x480"
    func calibrate(_ factor: Double, _ more: [String] = []) throws -> CalibrateRun {
      let (folder, path) = try table(of: dump, enlarged: factor)
      defer { withExtendedLifetime(folder) {} }
      return try CalibrateRun(
        ["--board", "9x6", "--quiet", "--size", size, "--corners", path] + more,
        intoStoreAt: store.path + "/store")
    }
    let told = "the calibration that was replaced differs"
    #expect(!(try calibrate(1)).messages.contains(told))
    #expect(!(try calibrate(1)).messages.contains(told))
    let other = try calibrate(0.95)
    #expect(other.status == 0, "\(other.messages)")
    #expect(other.messages.contains(told), "\(other.messages)")
    #expect(other.messages.contains("--device-name"))
    // Who names the camera knows which it is.
    #expect(!(try calibrate(1, ["--device-name", "points"])).messages.contains(told))
  }
}
