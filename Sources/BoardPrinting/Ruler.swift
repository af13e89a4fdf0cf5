/// A ruler that is printed beside the board: what a printer does to lengths shows on it.
struct Ruler: Sendable, Hashable {
  /// The lengths that are tried, in metres, the longest first; 100 mm is the usual one.
  static let lengths = [0.1, 0.05, 0.02]
  /// How far the longest ticks reach from the ruler's edge, metres.
  static let depth = 0.003
  /// The width of its lines, metres.
  static let lineWidth = 0.0001
  /// The height of its label, metres.
  static let labelSize = 0.0024

  /// Where 0 is on the sheet, metres.
  var start: SIMD2<Double>
  /// Metres.
  var length: Double
  /// Whether it runs down the sheet, else to the right.
  var isVertical: Bool

  /// The ticks as pairs of their ends on the sheet: one a millimetre, longer ones each 5 and 10 mm.
  var ticks: [(SIMD2<Double>, SIMD2<Double>)] {
    let along = isVertical ? SIMD2(0.0, 1) : SIMD2(1.0, 0)
    let across = isVertical ? SIMD2(1.0, 0) : SIMD2(0.0, 1)
    let count = Int((length * 1000).rounded())
    return (0...count).map { millimetre in
      let from = start + along * (Double(millimetre) / 1000)
      let share = millimetre % 10 == 0 ? 1.0 : millimetre % 5 == 0 ? 0.7 : 0.4
      return (from, from + across * (Self.depth * share))
    }
  }

  /// The far end of the scale.
  var end: SIMD2<Double> { start + (isVertical ? SIMD2(0, length) : SIMD2(length, 0)) }
}
