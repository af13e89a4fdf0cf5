internal import Imaging

extension CornerGrid {
  /// How far from where it is expected a board is looked for, in squares: farther it could be taken for
  /// itself by a square.
  private static let reach = 0.5

  /// The grid shifted to where its squares have the colours that they should have; nil where nothing of
  /// the kind is near.
  ///
  /// Each cell is sampled at four places. First well inside, which tells to about 0.3 of a square; then
  /// near its corners, which tells to 0.06: near enough for corners to be refined.
  func aligned(in image: GrayImage, firstIsDark: Bool) -> CornerGrid? {
    let (right, down) = meanSteps
    var shift = SIMD2<Double>()
    var best = 0.0
    for (inset, step, count) in [(0.4, Self.reach / 2, 2), (0.88, 0.1, 3)] {
      let middle = shift
      best = -.infinity
      for row in -count...count {
        for column in -count...count {
          let trial = middle + step * (Double(column) * right + Double(row) * down)
          let score = patternShare(in: image, shift: trial, inset: inset)
          // Of equal ones the nearest.
          let distance = (trial * trial).sum().squareRoot() / max(length(right), 1e-9)
          let value = (firstIsDark ? score : -score) - 0.01 * distance
          if value > best { (best, shift) = (value, trial) }
        }
      }
    }
    guard best > 0.35 else { return nil }
    var grid = self
    for index in grid.points.indices { grid.points[index] += shift }
    return grid
  }

  /// The steps from corner to corner along rows and columns, on average.
  private var meanSteps: (SIMD2<Double>, SIMD2<Double>) {
    var (right, down) = (SIMD2<Double>(), SIMD2<Double>())
    for row in 0..<rows { right += self[columns - 1, row] - self[0, row] }
    for column in 0..<columns { down += self[column, rows - 1] - self[column, 0] }
    return (
      right / Double(max(1, rows * (columns - 1))), down / Double(max(1, columns * (rows - 1)))
    )
  }

  /// How well the cells' grey values alternate, the first one dark: 1 for a chessboard, −1 for one whose
  /// first cell is light, about 0 for anything else.
  func patternShare(in image: GrayImage, shift: SIMD2<Double>, inset: Double) -> Double {
    var (light, dark) = (0.0, 0.0)
    var levels: [(sign: Double, level: Double)] = []
    levels.reserveCapacity(4 * (columns - 1) * (rows - 1))
    for row in 0..<rows - 1 {
      for column in 0..<columns - 1 {
        let centre = cellCentre(column, row)
        let isDark = (row + column).isMultiple(of: 2)
        for corner in [
          self[column, row], self[column + 1, row], self[column, row + 1],
          self[column + 1, row + 1],
        ] {
          let level = image.interpolated(at: centre + (corner - centre) * inset + shift)
          levels.append((isDark ? -1 : 1, level))
          if isDark { dark += level } else { light += level }
        }
      }
    }
    guard !levels.isEmpty else { return 0 }
    let count = Double(levels.count)
    let mean = (light + dark) / count
    var (sum, size) = (0.0, 0.0)
    for (sign, level) in levels {
      sum += sign * (level - mean)
      size += abs(level - mean)
    }
    // An image without contrast has no pattern.
    return size > count ? sum / size : 0
  }

  /// Whether no line of corners is left out at any side, and none is the board's edge.
  func isWhole(in image: GrayImage) -> Bool {
    var grid = self
    for _ in 0..<4 {
      guard case .corners = grid.lastRow(in: image) else { return false }
      if case .corners = grid.beyondLastRow(in: image) { return false }
      grid = grid.quarterTurn
    }
    return true
  }
}
