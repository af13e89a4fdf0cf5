extension ValueKind where Value == Double {
  /// A positive length with its unit (`25mm`, `2.5cm`, `0.025m`, `1in`), in metres, up to 100 m.
  package static var length: ValueKind {
    ValueKind(metavariable: "LENGTH", describe: { "\($0)m" }, read: metres)
  }

  @Sendable private static func metres(_ text: String) throws(ValueError) -> Double {
    let units = "mm, cm, m or in"
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard let value = Double(digits), value.isFinite else {
      if text.hasPrefix("-") { throw ValueError("a length must be greater than zero") }
      if text.contains(",") {
        throw ValueError("the decimal sign is a point: write it like 25.4mm")
      }
      throw ValueError("write a number and its unit (\(units)), like 25mm")
    }
    let metres: Double
    // Divisions, so that 25mm and 2.5cm give the double nearest to 0.025.
    switch unit {
    case "mm": metres = value / 1000
    case "cm": metres = value / 100
    case "m": metres = value
    case "in": metres = value * 25.4 / 1000
    case "": throw ValueError("the unit is missing: write \(digits)mm, or use cm, m or in")
    case _ where unit.hasPrefix(","):
      throw ValueError("the decimal sign is a point: write it like 25.4mm")
    default: throw ValueError("\(quoted(String(unit))) is not a unit it can have: use \(units)")
    }
    guard metres > 0 else { throw ValueError("a length must be greater than zero") }
    guard metres <= 100 else { throw ValueError("a length may be at most 100m") }
    return metres
  }
}
