/// How exact something is to be, as typed: in pixels, or as a share of the image's diagonal.
package enum AccuracyGoal: Sendable, Hashable {
  /// Pixels.
  case pixels(Double)
  /// Hundredths of the diagonal.
  case percent(Double)
}

extension ValueKind where Value == AccuracyGoal {
  /// An accuracy with its unit: `0.5px`, or `0.1%` of the image's diagonal.
  package static var accuracy: ValueKind {
    ValueKind(metavariable: "ACCURACY") { (text) throws(ValueError) in
      let (number, unit) = try split(text, like: "0.5px or 0.1%")
      guard let value = Double(number), value.isFinite else {
        throw ValueError("write a number and its unit, like 0.5px or 0.1%")
      }
      guard value > 0 else { throw ValueError("it must be greater than zero") }
      switch unit {
      case "px":
        guard value <= 1000 else { throw ValueError("it may be at most 1000px") }
        return .pixels(value)
      case "%":
        guard value <= 10 else { throw ValueError("it may be at most 10%") }
        return .percent(value)
      case "":
        throw ValueError(
          "the unit is missing: write \(number)px, or \(number)% for a share of the image's diagonal"
        )
      default: throw ValueError("\(quoted(unit)) is not a unit it can have: use px or %")
      }
    }
  }
}

extension ValueKind where Value == Double {
  /// A length of time with its unit (`30s`, `10min`, `1h`), in seconds, from 1 s to 24 h.
  package static var duration: ValueKind {
    ValueKind(metavariable: "TIME", describe: durationText) { (text) throws(ValueError) in
      let (number, unit) = try split(text, like: "1.5min")
      guard let value = Double(number), value.isFinite else {
        throw ValueError("write a number and its unit (s, min or h), like 10min")
      }
      let seconds: Double
      switch unit {
      case "s": seconds = value
      case "min": seconds = value * 60
      case "h": seconds = value * 3600
      case "": throw ValueError("the unit is missing: write \(number)min, or use s or h")
      default: throw ValueError("\(quoted(unit)) is not a unit it can have: use s, min or h")
      }
      guard (1...86400).contains(seconds) else { throw ValueError("it must be from 1s to 24h") }
      return seconds
    }
  }

  /// Frames a second: a number above 0 and at most 1000.
  package static var frameRate: ValueKind {
    ValueKind(metavariable: "N") { (text) throws(ValueError) in
      let (number, unit) = try split(text, like: "29.97")
      guard unit.isEmpty, let value = Double(number), value > 0, value <= 1000 else {
        throw ValueError("write frames a second as a number from 0.001 to 1000, like 30")
      }
      return value
    }
  }
}

/// Seconds in the largest unit that gives a whole number.
@Sendable private func durationText(_ seconds: Double) -> String {
  for (unit, size) in [("h", 3600.0), ("min", 60)] where seconds >= size {
    let value = seconds / size
    if value == value.rounded() { return "\(Int(value))\(unit)" }
  }
  return seconds == seconds.rounded() ? "\(Int(seconds))s" : "\(seconds)s"
}

/// The number at the start of a text, and what follows it in small letters, without blanks before.
///
/// - Throws: `ValueError` where a comma stands where a decimal point would.
private func split(
  _ text: String, like example: String
) throws(ValueError) -> (number: String, unit: String) {
  let number = text.prefix { ("0"..."9").contains($0) || $0 == "." }
  let rest = text.dropFirst(number.count)
  guard !rest.hasPrefix(",") else {
    throw ValueError("the decimal sign is a point: write it like \(example)")
  }
  return (String(number), rest.drop { $0 == " " }.lowercased())
}
