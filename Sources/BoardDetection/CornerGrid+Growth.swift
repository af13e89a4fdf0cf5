internal import Imaging

extension CornerGrid {
  /// What lies beyond the last line of a side.
  enum Beyond: Sendable, Hashable {
    /// Another line of corners, about there.
    case corners([SIMD2<Double>])
    /// The board's border.
    case border
    /// Some of both, or the end of the image: nothing can be said.
    case unclear
  }

  /// A grid with all lines of corners that can be seen around it.
  struct Grown: Sendable, Hashable {
    var grid: CornerGrid
    /// Whether it can be seen on all four sides that the board ends there; else it may be a part of a
    /// board that goes on out of the image, or behind something.
    var endsAreSeen: Bool
  }

  /// The board of which this grid is most: with all lines of corners that follow on its four sides,
  /// without those that are the board's edge; nil where it can't be told whether an outer line is one.
  ///
  /// The finders return grids that miss a row where glare, a hand or blur took some of its corners, and
  /// take the edge of a board without a margin for a row.
  func grown(in image: GrayImage) throws -> Grown? {
    var grid = self
    for _ in 0..<4 {
      switch grid.lastRow(in: image) {
      case .unclear: return nil
      case .corners: break
      case .border:
        guard grid.rows > 3 else { return nil }
        grid = CornerGrid(
          columns: grid.columns, rows: grid.rows - 1,
          points: Array(grid.points.dropLast(grid.columns)))
      }
      grid = grid.quarterTurn
    }
    // A quarter turn brings the next side to the end; four in a row without growth, and it is whole.
    var settled = 0
    var endsAreSeen = true
    while settled < 4 {
      guard grid.columns < 60, grid.rows < 60 else { return nil }
      let beyond = grid.beyondLastRow(in: image)
      switch beyond {
      case .border, .unclear:
        if beyond == .unclear { endsAreSeen = false }
        settled += 1
        grid = grid.quarterTurn
      case .corners(let points):
        (settled, endsAreSeen) = (0, true)
        let more = CornerGrid(
          columns: grid.columns, rows: grid.rows + 1, points: grid.points + points)
        grid = try more.subPixel(
          in: image, only: Array(grid.points.count..<more.points.count))
        if GridConsistency(grid, in: image).complaint != nil { return nil }
      }
    }
    return Grown(grid: grid, endsAreSeen: endsAreSeen)
  }

  /// Whether the last row is one of corners, at which the squares on both sides of it alternate, or the
  /// board's edge.
  func lastRow(in image: GrayImage) -> Beyond {
    guard rows >= 3, columns >= 3 else { return .unclear }
    var corners = 0
    for column in 0..<columns {
      let point = self[column, rows - 1]
      let outward = point - self[column, rows - 2]
      let along = directions(column, rows - 1).alongRow
      let (known, beyond) = (
        image.difference(across: along, at: point - 0.4 * outward),
        image.difference(across: along, at: point + 0.4 * outward)
      )
      if beyond * known < 0, abs(beyond) > 0.4 * abs(known) { corners += 1 }
    }
    if corners * 10 >= 7 * columns { return .corners([]) }
    return corners * 10 <= 3 * columns ? .border : .unclear
  }

  /// Looks at the squares behind the last row of corners.
  ///
  /// Behind an inner row two squares of different colour stand side by side at each corner, and behind
  /// those two more the other way round; behind the last one of a board there is its margin.
  func beyondLastRow(in image: GrayImage) -> Beyond {
    guard rows >= 3, columns >= 3 else { return .unclear }
    var next: [SIMD2<Double>] = []
    var (same, other, outside) = (0, 0, 0)
    for column in 0..<columns {
      let (a, b, c) = (self[column, rows - 3], self[column, rows - 2], self[column, rows - 1])
      // Perspective makes steps grow or shrink by the same factor.
      let factor = min(max(length(c - b) / max(length(b - a), 1e-9), 0.7), 1.4)
      next.append(c + (c - b) * factor)
    }
    for column in 0..<columns {
      let point = next[column]
      let (before, after) = (max(column - 1, 0), min(column + 1, columns - 1))
      let along = (next[after] - next[before]) / Double(after - before)
      let outward = point - self[column, rows - 1]
      guard image.contains(point + 0.4 * outward) else {
        outside += 1
        continue
      }
      // Of the squares before the last row, and behind the next.
      let known = image.difference(
        across: along, at: self[column, rows - 1] - 0.4 * outward)
      let beyond = image.difference(across: along, at: point + 0.4 * outward)
      if beyond * known > 0, abs(beyond) > 0.4 * abs(known) {
        same += 1
      } else {
        other += 1
      }
    }
    if outside * 4 > columns { return .unclear }
    if same * 10 >= 7 * (same + other) { return .corners(next) }
    return other * 10 >= 7 * (same + other) ? .border : .unclear
  }
}

extension GrayImage {
  /// The grey values of two squares side by side, left minus right; `step` from one to the other.
  fileprivate func difference(across step: SIMD2<Double>, at place: SIMD2<Double>) -> Double {
    interpolated(at: place - 0.4 * step) - interpolated(at: place + 0.4 * step)
  }

  /// Whether a place lies between the centres of the image's pixels.
  fileprivate func contains(_ p: SIMD2<Double>) -> Bool {
    p.x >= 0 && p.y >= 0 && p.x <= Double(width - 1) && p.y <= Double(height - 1)
  }
}
