internal import Boards

/// In which order a view's points stand, seen from the points themselves.
///
/// Along a row and along a column of a board each point lies about midway between its two neighbours,
/// whatever the perspective and the lens; in a wrong order most do not. And seen from its printed side a
/// board's columns follow its rows clockwise; in a mirrored order counter-clockwise.
struct PointOrder: Sendable, Hashable {
  /// How many points follow one another before the next row begins.
  enum Run: Sendable, Hashable {
    /// As many as the board has columns: row by row.
    case rows
    /// As many as it has rows: column by column.
    case columns
  }

  var run: Run
  /// Whether the board would be seen from behind, as through a pane of glass.
  var isMirrored: Bool
  /// Whether consecutive points lie rather one below the other than side by side.
  var isUpright: Bool

  /// Beyond this share of the distance to its neighbours a point does not lie between them.
  ///
  /// A tilt of
  /// 60° and the strongest lenses displace it by 0.2.
  private static let mostDisplacement = 0.5

  /// The order of a view's points; nil where they stand in no order of a board.
  init?(_ pixels: [SIMD2<Double>], columns: Int, rows: Int) {
    guard pixels.count == columns * rows else { return nil }
    let asRows = Displacement(pixels, length: columns)
    let asColumns = columns == rows ? nil : Displacement(pixels, length: rows)
    let (best, run): (Displacement, Run)
    switch (asRows, asColumns) {
    case (let rows?, let columns?):
      (best, run) = rows.value <= columns.value ? (rows, .rows) : (columns, .columns)
    case (let rows?, nil): (best, run) = (rows, .rows)
    case (nil, let columns?): (best, run) = (columns, .columns)
    case (nil, nil): return nil
    }
    guard best.value <= Self.mostDisplacement else { return nil }
    self.run = run
    isMirrored = best.isMirrored
    isUpright = best.isUpright
  }

  /// For each point of the board, row by row, its place in the table.
  func places(columns: Int, rows: Int) -> [Int] {
    (0..<rows).flatMap { row in
      (0..<columns).map { column in
        switch (run, isMirrored) {
        case (.rows, false): row * columns + column
        // On a square board this is the same as column by column, up to a turn.
        case (.rows, true): (rows - 1 - row) * columns + column
        // Column by column, where a row's points should follow one another: the mirror image of it.
        case (.columns, true): column * rows + row
        // Row by row of the board turned by 90°, as --board 6x9 describes one of 9x6.
        case (.columns, false): column * rows + (rows - 1 - row)
        }
      }
    }
  }
}

/// How far points lie from the middle of their neighbours when a grid's rows have so many points.
private struct Displacement {
  /// Three quarters of all points, along rows and along columns, and half of those of each line across these,
  /// lie within this share of half the distance of their neighbours.
  ///
  /// Across, as rows of twice the true length turn back in the middle of each.
  var value: Double
  var isMirrored: Bool
  var isUpright: Bool

  /// Nil where too few points were seen.
  init?(_ pixels: [SIMD2<Double>], length: Int) {
    let count = pixels.count / length
    var displacements: [[Double]] = [[], []]
    var lines = [
      [[Double]](repeating: [], count: length), [[Double]](repeating: [], count: count),
    ]
    var (turn, across, down) = (0.0, 0.0, 0.0)
    for row in 0..<count {
      for column in 0..<length {
        let index = row * length + column
        let here = pixels[index]
        guard here.isSeen else { continue }
        for (direction, step) in [1, length].enumerated() {
          let isInside =
            direction == 0 ? (1..<length - 1).contains(column) : (1..<count - 1).contains(row)
          guard isInside, pixels[index - step].isSeen, pixels[index + step].isSeen else { continue }
          let span = (pixels[index + step] - pixels[index - step]) / 2
          let offset = here - (pixels[index + step] + pixels[index - step]) / 2
          let size = (span * span).sum().squareRoot()
          let displacement = size > 0 ? (offset * offset).sum().squareRoot() / size : .infinity
          displacements[direction].append(displacement)
          lines[direction][direction == 0 ? column : row].append(displacement)
        }
        // All four corners of each square, so that the mirrored order gives exactly the opposite.
        for (side, beyond) in [(1, length), (-1, length), (1, -length), (-1, -length)] {
          guard (0..<length).contains(column + side), pixels[index + side].isSeen else { continue }
          let along = (pixels[index + side] - here) * Double(side)
          across += abs(along.x)
          down += abs(along.y)
          guard pixels.indices.contains(index + beyond), pixels[index + beyond].isSeen else {
            continue
          }
          let below = (pixels[index + beyond] - here) * (beyond > 0 ? 1 : -1)
          turn += along.x * below.y - along.y * below.x > 0 ? 1 : -1
        }
      }
    }
    let quartiles = displacements.compactMap { list in
      list.isEmpty ? nil : list.sorted()[3 * list.count / 4]
    }
    guard quartiles.count == 2, turn != 0 else { return nil }
    // One wrong point moves no median of three.
    let medians = lines.joined().filter { $0.count > 2 }.map { $0.sorted()[($0.count - 1) / 2] }
    value = max(quartiles[0], quartiles[1], medians.max() ?? 0)
    isMirrored = turn < 0
    isUpright = down > across
  }
}
