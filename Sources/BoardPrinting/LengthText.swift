/// Lengths as people read and type them.
package enum LengthText {
  /// Millimetres to at most five decimals (10 nm), without a unit and without trailing zeros: `24.5`.
  package static func millimetres(_ metres: Double) -> String {
    let steps = (metres * 1e8).rounded()
    guard steps.magnitude < 1e15 else { return "\(metres * 1000)" }
    let whole = Int(steps)
    let fraction = String(100_000 + whole.magnitude % 100_000).dropFirst()
    let digits = fraction.reversed().drop { $0 == "0" }.reversed()
    return (whole < 0 ? "-" : "") + "\(whole.magnitude / 100_000)"
      + (digits.isEmpty ? "" : "." + String(digits))
  }

  /// As an option's value: `24.5mm`.
  package static func typed(_ metres: Double) -> String { millimetres(metres) + "mm" }

  /// As text: `24.5 mm`.
  package static func spaced(_ metres: Double) -> String { millimetres(metres) + " mm" }
}
