import CalibrationSolver
import CalibrationStore
import CameraModel

/// Where in the image corners were seen, and under which tilts the board was shown.
enum CoverageMap {
  /// Cells in a row and rows of cells.
  static let (columns, rows) = (8, 6)

  /// Counts the corners of the used views in 8x6 cells, and the views by tilt in steps of 10°.
  static func coverage(
    pixels: [[SIMD2<Double>]], poses: [Pose], resolution: Resolution
  ) -> IntrinsicsRecord.Coverage {
    var counts = Array(repeating: 0, count: columns * rows)
    for pixel in pixels.joined() {
      let column = Int((pixel.x + 0.5) / Double(resolution.width) * Double(columns))
      let row = Int((pixel.y + 0.5) / Double(resolution.height) * Double(rows))
      counts[min(max(row, 0), rows - 1) * columns + min(max(column, 0), columns - 1)] += 1
    }
    var tilts = Array(repeating: 0, count: 9)
    for pose in poses {
      tilts[min(8, Int(tiltDegrees(of: pose) / 10))] += 1
    }
    return IntrinsicsRecord.Coverage(
      columns: columns, rows: rows, cornerCounts: counts, tiltHistogram: tilts)
  }

  /// The angle between the board's normal and the optical axis, 0…90 degrees.
  static func tiltDegrees(of pose: Pose) -> Double { pose.tilt * 180 / .pi }

  /// The names of those ninths of the image in which no corner was seen, reading order.
  static func emptyRegions(_ coverage: IntrinsicsRecord.Coverage) -> [String] {
    let names = [
      "upper left corner", "upper edge", "upper right corner",
      "left edge", "centre", "right edge",
      "lower left corner", "lower edge", "lower right corner",
    ]
    var seen = Array(repeating: false, count: 9)
    for row in 0..<coverage.rows {
      for column in 0..<coverage.columns
      where coverage.cornerCounts[row * coverage.columns + column] > 0 {
        // The outer ninths are the outermost quarter of the cells on each side, where a lens
        // departs most from what the middle says of it.
        let x =
          column < coverage.columns / 4
          ? 0 : column >= coverage.columns - coverage.columns / 4 ? 2 : 1
        let y = row < coverage.rows / 4 ? 0 : row >= coverage.rows - coverage.rows / 4 ? 2 : 1
        seen[y * 3 + x] = true
      }
    }
    return names.indices.filter { !seen[$0] }.map { names[$0] }
  }
}
