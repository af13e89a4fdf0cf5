import CameraModel
import Testing

@testable import CalibrationFormats

@Suite("Hostile and damaged files")
struct RobustnessTests {
  @Test("Aliases, with which a few lines stand for billions of values, are refused")
  func yamlAliases() {
    var text = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
    for (name, before) in zip("bcdefghij", "abcdefghi") {
      text +=
        "\(name): &\(name) [" + Array(repeating: "*\(before)", count: 9).joined(separator: ", ")
        + "]\n"
    }
    let error = failure(text)
    #expect(error?.code == .syntax)
    #expect(error?.line == 2)
    #expect(error?.message.contains("alias") ?? false)
  }

  @Test(
    "Document types, with which XML grows or reads other files, are refused",
    arguments: [
      "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><opencv_storage>&b;</opencv_storage>",
      "<!DOCTYPE x SYSTEM \"file:///etc/passwd\"><opencv_storage/>",
      "<!DOCTYPE x><opencv_storage/>",
    ])
  func xmlEntities(text: String) {
    #expect(failure(text)?.message.contains("document type") ?? false)
  }

  @Test(
    "Nesting is bounded",
    arguments: [
      String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
      "a: " + String(repeating: "[", count: 100_000),
      String(repeating: "<a>", count: 100_000),
      "'lensmodel'" + String(repeating: "(", count: 100_000),
      "x:\n" + (1...200).map { String(repeating: " ", count: $0) + "x:" }.joined(separator: "\n"),
    ])
  func depth(text: String) {
    let code = failure(text)?.code
    #expect(code == .tooLarge || code == .syntax)
  }

  @Test("Files beyond the size of any calibration are refused before they are looked at")
  func size() {
    let bytes = [UInt8](repeating: UInt8(ascii: " "), count: SourceText.largestFile + 1)
    let error = #expect(throws: FormatError.self) { try CalibrationFile.camera(in: bytes) }
    #expect(error?.code == .tooLarge)
  }

  @Test(
    "What is no text is refused, and the message says what it is",
    arguments: [
      ([], "empty"), ([0x20, 0x0A], "empty"), ([0xFF, 0xFE, 0x61, 0x00], "UTF-16"),
      ([0xFE, 0xFF, 0x00, 0x61], "UTF-16"),
      ([0x61, 0x00, 0x62], "zero bytes"), ([0x6B, 0x3A, 0x20, 0xFC], "UTF-8"),
      ([0xC0, 0xAF], "UTF-8"), ([0xED, 0xA0, 0x80], "UTF-8"),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "UTF-8"),
    ] as [([UInt8], String)])
  func notText(bytes: [UInt8], word: String) {
    let error = #expect(throws: FormatError.self) { try CalibrationFile.camera(in: bytes) }
    #expect(error?.message.contains(word) ?? false)
  }

  @Test(
    "Broken syntax names its line",
    arguments: [
      ("{\n\"K\": [1, 2\n}", 3), ("{\n\n\"a\" 1}", 3), ("{\"a\": 1,\n}", 2), ("a: [1,\n2\nb: 3", 3),
      ("<opencv_storage>\n<a>\n</b></opencv_storage>", 3),
      ("[image]\nwidth\n640 wide\n", 3), ("{\"a\": tru}", 1), ("{\"a\": \"\\ud800\"}", 1),
      ("[1]\n[2]", 2),
    ])
  func syntax(text: String, line: Int) {
    let error = failure(text)
    #expect(error?.code == .syntax)
    #expect(error?.line == line)
  }

  @Test("What a file says can't steer the terminal")
  func controlCharacters() {
    let error = failure("\"\\e[2J\\a\": 1\nb: 2\n")
    #expect(error?.code == .notACalibration)
    #expect(!(error?.description.unicodeScalars.contains("\u{1B}") ?? true))
  }

  @Test("A missing file, a folder and a device are told apart")
  func files() {
    func code(_ path: String) -> FormatError.Code? {
      #expect(throws: FormatError.self) { try CalibrationFile.read(path) }?.code
    }
    #expect(code("/nonexistent/camera.yaml") == .notFound)
    #expect(code("/") == .unreadable)
    #expect(code("/dev/zero") == .unreadable)
  }

  /// Every file of every dialect with bytes changed, inserted, removed, repeated, and cut off: a
  /// camera or an error, never a trap, never numbers that are not finite.
  @Test(
    "Damaged files give a camera or an error",
    .enabled(if: SharedFiles.exist, "needs the shared data"))
  func mutations() throws {
    var generator = SeededGenerator(state: 46)
    let isLong = longTestsAreOn
    var cameras = 0
    var errors = 0
    for name in SharedFiles.names().sorted() {
      let original = try bytes(ofFileAt: SharedFiles.path(name))
      // Only the start of a long list of corners: what matters stands before it.
      guard original.count < 4000 || isLong else { continue }
      for _ in 0..<(isLong ? 2000 : 15) {
        let damaged = mutated(original, &generator)
        let options = ImportOptions(
          resolution: Bool.random(using: &generator) ? Resolution(width: 640, height: 480) : nil)
        do throws(FormatError) {
          let camera = try CalibrationFile.camera(in: damaged, options: options)
          let areFinite = camera.camera.parameterVector.allSatisfy { $0.isFinite }
          #expect(areFinite)
          #expect(camera.camera.intrinsics.fx > 0 && camera.camera.intrinsics.fy > 0)
          cameras += 1
        } catch {
          #expect(!error.message.isEmpty)
          errors += 1
        }
      }
    }
    // Both happen, or the mutations test nothing.
    #expect(cameras > 40, "\(cameras) cameras, \(errors) errors")
    #expect(errors > 100)
  }

  private func mutated(_ original: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = original
    let spices: [[UInt8]] = [
      "nan", "-", "1e999", ":", "[", "]", "{", "}", "\"", "'", "\n", "\t", "*a", "&a", "<!DOCTYPE",
      "0", ",", "#", "%",
    ].map { Array($0.utf8) }
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      guard !bytes.isEmpty else { break }
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2: bytes.insert(contentsOf: spices.randomElement(using: &generator) ?? [], at: place)
      case 3:
        bytes.removeSubrange(
          place..<min(bytes.count, place + Int.random(in: 1...40, using: &generator)))
      case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 60)], at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
