/// The text of a calibration file: valid UTF-8 without a byte-order mark, bounded in size.
struct SourceText: Sendable {
  /// The most bytes a calibration file may have; the largest real ones (all corners of thousands of
  /// views) have a tenth of it.
  static let largestFile = 64 << 20

  /// The text, lines ended by `\n`.
  let text: String

  /// Checks and decodes bytes.
  init(_ bytes: [UInt8]) throws(FormatError) {
    guard bytes.count <= Self.largestFile else {
      throw FormatError(
        .tooLarge,
        "the file has \(bytes.count) bytes; calibration files have at most \(Self.largestFile)")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw FormatError(
        .syntax, "the file is UTF-16 text; expected UTF-8: convert it (iconv -f utf-16 -t utf-8)")
    }
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    guard !content.contains(0) else {
      throw FormatError(
        .syntax,
        "the file holds zero bytes, so it is no text file; expected YAML, XML, JSON or text")
    }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw FormatError(
        .syntax, "the file is not valid UTF-8 text: convert it (iconv -f latin1 -t utf-8)")
    }
    guard text.utf8.contains(where: { !Self.isBlank($0) }) else {
      throw FormatError(.notACalibration, "the file is empty")
    }
    // Swift takes "\r\n" for one character; two views of line ends would disagree about lines.
    self.text =
      text.utf8.contains(UInt8(ascii: "\r"))
      ? String(decoding: Self.withUnixLineEnds(content), as: UTF8.self) : text
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func withUnixLineEnds(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == UInt8(ascii: "\r") {
        result.append(UInt8(ascii: "\n"))
      } else if !(byte == UInt8(ascii: "\n") && previous == UInt8(ascii: "\r")) {
        result.append(byte)
      }
      previous = byte
    }
    return result
  }

  /// The lines with their numbers from 1, without their ends.
  var lines: [(number: Int, text: Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { ($0.offset + 1, $0.element) }
  }
}

extension Substring {
  /// Without white space at both ends.
  var trimmed: String {
    let blank = { (c: Character) in c == " " || c == "\t" || c == "\n" }
    return String(
      self.drop(while: blank).reversed().drop(while: blank).reversed())
  }
}

extension String {
  /// Without white space at both ends.
  var trimmed: String { self[...].trimmed }

  /// The pieces between white space.
  var words: [String] {
    split { $0 == " " || $0 == "\t" || $0 == "\n" }.map(String.init)
  }
}
