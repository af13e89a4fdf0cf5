/// A filled area of a board's pattern, in units of the board, from the pattern's top-left corner, x
/// to the right and y down.
package struct PatternShape: Sendable, Hashable {
  /// What an area is bounded by.
  package enum Outline: Sendable, Hashable {
    /// A rectangle with its sides along the axes.
    case rectangle(origin: SIMD2<Double>, size: SIMD2<Double>)
    /// A disc.
    case disc(centre: SIMD2<Double>, radius: Double)
    /// A closed polygon.
    case polygon([SIMD2<Double>])
  }

  /// What it is bounded by.
  package var outline: Outline
  /// Black, else the colour of the paper; later shapes lie on top of earlier ones.
  package var isDark: Bool

  /// Creates an area.
  package init(_ outline: Outline, isDark: Bool = true) {
    self.outline = outline
    self.isDark = isDark
  }
}
