/// A decimal number of any length: ±digits × 10^exponent.
struct ExactDecimal: Sendable, Hashable {
  private var isNegative: Bool
  /// The digits, the most significant first, without leading zeros; empty for zero.
  private var digits: [UInt8]
  private var exponent: Int

  private init(isNegative: Bool, digits: [UInt8], exponent: Int) {
    self.isNegative = isNegative
    self.digits = Array(digits.drop { $0 == 0 })
    self.exponent = exponent
  }

  /// Takes apart the text of a decimal number; nil when its exponent is beyond ±400, which bounds
  /// the digits of a sum.
  init?(_ text: String) {
    var digits: [UInt8] = []
    var exponent = 0
    var seenPoint = false
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    while let byte = rest.first {
      rest = rest.dropFirst()
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte - UInt8(ascii: "0"))
        if seenPoint { exponent -= 1 }
      case UInt8(ascii: "."):
        seenPoint = true
      default:
        guard let written = Int(Substring(rest)), abs(written) <= 400 else { return nil }
        exponent += written
        rest = rest.dropFirst(rest.count)
      }
    }
    guard !digits.isEmpty, digits.count <= DecimalText.longestText else { return nil }
    self.init(isNegative: isNegative, digits: digits, exponent: exponent)
  }

  static func + (a: ExactDecimal, b: ExactDecimal) -> ExactDecimal {
    let exponent = min(a.exponent, b.exponent)
    let (x, y) = (a.padded(to: exponent), b.padded(to: exponent))
    let count = max(x.count, y.count) + 1
    let (p, q) = (widened(x, to: count), widened(y, to: count))
    if a.isNegative == b.isNegative {
      return ExactDecimal(isNegative: a.isNegative, digits: sum(p, q), exponent: exponent)
    }
    let firstIsLarger = !p.lexicographicallyPrecedes(q)
    return ExactDecimal(
      isNegative: firstIsLarger ? a.isNegative : b.isNegative,
      digits: firstIsLarger ? difference(p, q) : difference(q, p), exponent: exponent)
  }

  private func padded(to lower: Int) -> [UInt8] {
    digits.isEmpty ? [] : digits + Array(repeating: 0, count: exponent - lower)
  }

  private static func widened(_ digits: [UInt8], to count: Int) -> [UInt8] {
    Array(repeating: 0, count: count - digits.count) + digits
  }

  private static func sum(_ p: [UInt8], _ q: [UInt8]) -> [UInt8] {
    var result = p
    var carry: UInt8 = 0
    for i in result.indices.reversed() {
      let digit = p[i] + q[i] + carry
      (result[i], carry) = (digit % 10, digit / 10)
    }
    return result
  }

  /// `p` − `q` for `p` ≥ `q`.
  private static func difference(_ p: [UInt8], _ q: [UInt8]) -> [UInt8] {
    var result = p
    var borrow: UInt8 = 0
    for i in result.indices.reversed() {
      let digit = 10 + p[i] - q[i] - borrow
      (result[i], borrow) = (digit % 10, digit < 10 ? 1 : 0)
    }
    return result
  }
}

extension ExactDecimal: CustomStringConvertible {
  /// Positional where that takes no more than a few zeros, else with an exponent.
  var description: String {
    guard !digits.isEmpty else { return "0.0" }
    let sign = isNegative ? "-" : ""
    let text = digits.map { String($0) }
    let pointPosition = digits.count + exponent
    if pointPosition > 40 || pointPosition < -40 {
      return sign + text.joined() + "e\(exponent)"
    }
    if exponent >= 0 {
      return sign + text.joined() + String(repeating: "0", count: exponent) + ".0"
    }
    if pointPosition <= 0 {
      return sign + "0." + String(repeating: "0", count: -pointPosition) + text.joined()
    }
    let fraction = text[pointPosition...].joined()
    let trimmed = fraction.reversed().drop { $0 == "0" }.reversed()
    return sign + text[..<pointPosition].joined() + "." + (trimmed.isEmpty ? "0" : String(trimmed))
  }
}
