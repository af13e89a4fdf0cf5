/// The text of a calibration file: valid UTF-8 without a byte-order mark, bounded in size.
struct SourceText: Sendable {
  /// The most bytes a calibration file may have; the largest real ones (all corners of thousands of
  /// views) have a tenth of it.
  static let largestFile = 64 << 20

  /// The text, lines ended by `\n`.
  let text: String
  /// The first hundred lines, enough to tell a dialect.
  let firstLines: [Substring]

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
        "the file holds zero bytes, so it is no text file; expected YAML, XML, JSON or text (COLMAP "
          + "writes cameras.txt by `colmap model_converter --output_type TXT`)")
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
    self.firstLines = Self.lines(of: self.text, maxSplits: 100).prefix(100).map { $0 }
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
    Self.lines(of: text).enumerated().map { ($0.offset + 1, $0.element) }
  }

  private static func lines(of text: String, maxSplits: Int = Int.max) -> [Substring] {
    text.utf8.split(
      separator: UInt8(ascii: "\n"), maxSplits: maxSplits, omittingEmptySubsequences: false
    ).map { Substring($0) }
  }
}

extension Substring {
  /// Without white space at both ends.
  var trimmed: String {
    let bytes = utf8
    guard let first = bytes.firstIndex(where: { !SourceText.isBlank($0) }),
      let last = bytes.lastIndex(where: { !SourceText.isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}

extension String {
  /// Without white space at both ends.
  var trimmed: String { self[...].trimmed }

  /// The pieces between white space.
  var words: [String] {
    utf8.split(whereSeparator: SourceText.isBlank).map { String(Substring($0)) }
  }
}
