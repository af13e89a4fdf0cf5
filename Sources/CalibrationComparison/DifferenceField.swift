package import CameraModel

/// Differences over the image, on the grid of a record's projection uncertainty: 32x18 cells.
package struct DifferenceField: Sendable, Hashable {
  /// The number of cells in a row.
  package static let columns = 32
  /// The number of rows.
  package static let rows = 18
  /// The number of cells.
  package static let count = columns * rows

  /// The size of the images.
  package var resolution: Resolution
  /// The difference at each cell's centre, row by row, pixels; nil where one of the cameras has no
  /// answer.
  package var differences: [SIMD2<Double>?]

  /// The centre of a cell in the pixel-centre convention.
  package static func centre(_ cell: Int, of size: Resolution) -> SIMD2<Double> {
    SIMD2(
      (Double(cell % columns) + 0.5) * Double(size.width) / Double(columns) - 0.5,
      (Double(cell / columns) + 0.5) * Double(size.height) / Double(rows) - 0.5)
  }

  /// The length of each difference, pixels.
  package var lengths: [Double?] { differences.map { $0.map { ($0 * $0).sum().squareRoot() } } }

  /// The cells in which both cameras have an answer.
  package var knownCount: Int { differences.count { $0 != nil } }

  /// The level that half of the cells stay within, pixels, of those with data.
  package var median: Double? { Self.level(0.5, of: lengths) }
  /// The level that 90 % of the cells stay within, pixels, of those with data.
  package var p90: Double? { Self.level(0.9, of: lengths) }

  /// The largest difference, pixels, and where it stands.
  package var worst: (pixels: Double, at: SIMD2<Double>)? {
    let known = lengths.enumerated().compactMap { cell, length in length.map { (cell, $0) } }
    return known.max { $0.1 < $1.1 }.map { ($0.1, Self.centre($0.0, of: resolution)) }
  }

  /// The smallest of the values that at least so large a share of them stays within; nil of none.
  package static func level(_ share: Double, of values: [Double?]) -> Double? {
    let sorted = values.compactMap(\.self).sorted()
    guard !sorted.isEmpty else { return nil }
    let place = Int((share * Double(sorted.count)).rounded(.up)) - 1
    return sorted[min(max(0, place), sorted.count - 1)]
  }
}
