extension ValueKind where Value == Double {
  /// A positive length with its unit (`25mm`, `2.5cm`, `0.025m`, `1in`, in capitals too), in metres, up
  /// to 100 m.
  package static var length: ValueKind {
    ValueKind(metavariable: "LENGTH", describe: { "\($0)m" }, read: metres)
  }

  @Sendable private static func metres(_ text: String) throws(ValueError) -> Double {
    let units = "mm, cm, m or in"
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
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
    default: throw ValueError("\(quoted(unit)) is not a unit it can have: use \(units)")
    }
    guard metres > 0 else { throw ValueError("a length must be greater than zero") }
    guard metres <= 100 else { throw ValueError("a length may be at most 100m") }
    return metres
  }
}

/// Two lengths as typed, width x height, in metres.
package struct PlaneSize: Sendable, Hashable, CustomStringConvertible {
  /// Metres across.
  package var width: Double
  /// Metres down.
  package var height: Double

  /// Creates a size from metres.
  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Both lengths in metres.
  package var description: String { "\(width)mx\(height)m" }
}

extension ValueKind where Value == PlaneSize {
  /// Two lengths with their unit, `200x125mm`; the first one may have a unit of its own.
  package static var planeSize: ValueKind {
    ValueKind(metavariable: "WIDTHxHEIGHT") { (text) throws(ValueError) in
      let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw ValueError("write two lengths joined by the letter x and their unit, like 200x125mm")
      }
      let unit = parts[1].drop { $0.isASCII && ($0.isNumber || $0 == ".") }
      let hasUnit = parts[0].contains { $0.isLetter }
      let length = ValueKind<Double>.length
      // The second first: what is wrong with its unit is wrong with both.
      let height = try length.read(String(parts[1]))
      let width = try length.read(String(parts[0]) + (hasUnit ? "" : String(unit)))
      return PlaneSize(width: width, height: height)
    }
  }
}
