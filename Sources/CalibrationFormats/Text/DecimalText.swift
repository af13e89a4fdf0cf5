/// A finite decimal number exactly as it stands in a file.
///
/// Values pass from text to `Double` in one correctly rounded step, and origins are shifted in
/// decimal before that step, so nothing is lost on the way.
struct DecimalText: Sendable, Hashable {
  /// The text: sign, digits with at most one point, exponent.
  let text: String
  /// The line on which it stands, from 1.
  let line: Int
  /// The nearest `Double`; finite.
  let value: Double

  /// The longest text of a number that is accepted: `%.17g` needs 24 characters, an exact sum of two
  /// doubles less than 700.
  static let longestText = 1000

  /// Reads a decimal number; nil when `text` is none or is beyond the range of `Double`.
  ///
  /// Not every text that `Double.init` takes is a number of a calibration file: hexadecimal
  /// digits, `nan` and `inf` are refused here.
  init?(_ text: String, line: Int) {
    guard Self.isDecimal(text), let value = Double(text), value.isFinite else { return nil }
    self.text = text
    self.line = line
    self.value = value
  }

  /// The shortest text that reads back to `value`.
  init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.text = "\(value)"
    self.line = 0
    self.value = value
  }

  private static func isDecimal(_ text: String) -> Bool {
    guard text.utf8.count <= longestText else { return false }
    var rest = text.utf8[...]
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    func skipSign() {
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
    }
    func skipDigits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    skipSign()
    var digits = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      digits += skipDigits()
    }
    guard digits > 0 else { return false }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      skipSign()
      guard (1...6).contains(skipDigits()) else { return false }
    }
    return rest.isEmpty
  }
}

extension DecimalText {
  /// The exact decimal sum with `other`; nil when an exponent is too extreme to be a pixel position.
  ///
  /// This is how positions pass between origins. For every text T, a position read with its origin
  /// at the corner is the `Double` nearest to T − 0.5; the position x written so is S + 0.5, S the
  /// shortest text of x. Reading what was written gives x again, for every finite x but −0 (S + 0.5 −
  /// 0.5 is S), which addition in `Double` could not promise. Writing what was read gives T again whenever T − 0.5 has at most 15 significant digits
  /// (as then no other text of that length is nearer to x), else a text of the same `Double`.
  func adding(_ other: DecimalText) -> DecimalText? {
    guard let a = ExactDecimal(text), let b = ExactDecimal(other.text) else { return nil }
    return DecimalText((a + b).description, line: line)
  }
}
