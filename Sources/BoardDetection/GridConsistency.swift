internal import Imaging

/// Whether a set of corners can be a chessboard's: the finders sometimes return wrong corners without
/// a word, most of all at strong tilts.
///
/// The tests are local, so that a strongly distorting lens passes: a fisheye image bends rows, but
/// neighbouring cells still look alike.
struct GridConsistency: Sendable, Hashable {
  /// What is wrong, in words; nil if nothing is.
  var complaint: String?

  /// Tests the corners alone, then the colours of the squares in the image.
  init(_ grid: CornerGrid, in image: GrayImage) {
    complaint =
      Self.outside(grid, image) ?? Self.folded(grid) ?? Self.uneven(grid)
      ?? Self.wrongColours(grid, image)
  }

  private static func outside(_ grid: CornerGrid, _ image: GrayImage) -> String? {
    let inside = grid.points.allSatisfy {
      $0.x >= 0 && $0.y >= 0 && $0.x <= Double(image.width - 1) && $0.y <= Double(image.height - 1)
    }
    return inside ? nil : "a corner lies outside the image"
  }

  /// Every cell must be convex, and all must turn the same way; this also rules out doubles.
  private static func folded(_ grid: CornerGrid) -> String? {
    var sign = 0.0
    for row in 0..<grid.rows - 1 {
      for column in 0..<grid.columns - 1 {
        let corners = [
          grid[column, row], grid[column + 1, row], grid[column + 1, row + 1],
          grid[column, row + 1],
        ]
        for i in 0..<4 {
          let (a, b, c) = (corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4])
          let turn = cross(b - a, c - b)
          if sign == 0 { sign = turn < 0 ? -1 : 1 }
          // The sine of the inner angle; cells seen at 80° from the side still have 0.1.
          let sine = sign * turn / max(length(b - a) * length(c - b), 1e-12)
          guard sine > 0.03 else { return "a square is folded or flat" }
        }
      }
    }
    return nil
  }

  /// Steps along a row or column change slowly: from one square to the next by less than a factor of
  /// 1.8 in length and by less than 30° in direction.
  private static func uneven(_ grid: CornerGrid) -> String? {
    func compare(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Bool {
      let (first, second) = (b - a, c - b)
      let (l1, l2) = (length(first), length(second))
      guard l1 > 1, l2 > 1 else { return false }
      // Half a pixel either way is allowed to tiny squares.
      guard l1 < 1.8 * l2 + 0.5, l2 < 1.8 * l1 + 0.5 else { return false }
      return (first * second).sum() > 0.86 * l1 * l2 - l1
    }
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        if column + 2 < grid.columns,
          !compare(grid[column, row], grid[column + 1, row], grid[column + 2, row])
        {
          return "neighbouring squares differ in size"
        }
        if row + 2 < grid.rows,
          !compare(grid[column, row], grid[column, row + 1], grid[column, row + 2])
        {
          return "neighbouring squares differ in size"
        }
      }
    }
    return nil
  }

  /// Neighbouring squares alternate between dark and light: all pairs but a twentieth (a reflection
  /// may cover a few).
  private static func wrongColours(_ grid: CornerGrid, _ image: GrayImage) -> String? {
    let (columns, rows) = (grid.columns - 1, grid.rows - 1)
    let levels = grid.cellLevels(in: image)
    var (right, wrong) = (0, 0)
    func compare(_ a: Double, _ b: Double, _ even: Bool) {
      if a == b { return }
      if (a < b) == even { right += 1 } else { wrong += 1 }
    }
    for row in 0..<rows {
      for column in 0..<columns {
        let even = (row + column).isMultiple(of: 2)
        let level = levels[row * columns + column]
        if column + 1 < columns { compare(level, levels[row * columns + column + 1], even) }
        if row + 1 < rows { compare(level, levels[(row + 1) * columns + column], even) }
      }
    }
    let total = columns * (rows - 1) + rows * (columns - 1)
    return Double(max(right, wrong)) >= 0.95 * Double(total)
      ? nil : "the squares do not alternate between dark and light"
  }
}
