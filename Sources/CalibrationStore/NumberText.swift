/// A number with a fixed count of decimals; `–` where it is not finite.
package func fixed(_ value: Double?, _ decimals: Int) -> String {
  guard let value, value.isFinite else { return "–" }
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  // Beyond this, whole numbers are not exact and decimals say nothing.
  guard abs(value) * scale < 9e15 else { return value.description }
  let scaled = Int((abs(value) * scale).rounded())
  let digits = String(scaled)
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard decimals > 0 else { return sign + digits }
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
}

/// An angle in radians as degrees with one decimal.
package func degrees(_ radians: Double?) -> String {
  radians.map { fixed($0 * 180 / .pi, 1) + "°" } ?? "–"
}

/// How long ago a moment was, in one unit.
package func age(since time: UTCTime?, now: UTCTime) -> String {
  guard let time else { return "–" }
  let seconds = now.secondsSince1970 - time.secondsSince1970
  guard seconds >= 0 else { return "in the future" }
  func text(_ count: Int, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }
  switch seconds {
  case ..<60: return "just now"
  case ..<3600: return text(seconds / 60, "minute")
  case ..<86400: return text(seconds / 3600, "hour")
  case ..<(60 * 86400): return text(seconds / 86400, "day")
  case ..<(730 * 86400): return text(seconds / (30 * 86400), "month")
  default: return text(seconds / (365 * 86400), "year")
  }
}
