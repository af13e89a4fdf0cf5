/// A grid of corners in an image: `columns` x `rows` positions, row by row, pixel-centre convention.
struct CornerGrid: Sendable, Hashable {
  let columns: Int
  let rows: Int
  var points: [SIMD2<Double>]

  init(columns: Int, rows: Int, points: [SIMD2<Double>]) {
    precondition(points.count == columns * rows)
    self.columns = columns
    self.rows = rows
    self.points = points
  }

  subscript(column: Int, row: Int) -> SIMD2<Double> {
    get { points[row * columns + column] }
    set { points[row * columns + column] = newValue }
  }

  /// The distance to the nearest of the up to four neighbours of each corner, pixels.
  var spacings: [Double] {
    var result: [Double] = []
    result.reserveCapacity(points.count)
    for row in 0..<rows {
      for column in 0..<columns {
        let here = self[column, row]
        var nearest = Double.infinity
        func visit(_ c: Int, _ r: Int) {
          guard c >= 0, c < columns, r >= 0, r < rows else { return }
          nearest = min(nearest, length(self[c, r] - here))
        }
        visit(column - 1, row)
        visit(column + 1, row)
        visit(column, row - 1)
        visit(column, row + 1)
        result.append(nearest)
      }
    }
    return result
  }

  /// The middle of the cell between the corners (column, row) and (column + 1, row + 1).
  func cellCentre(_ column: Int, _ row: Int) -> SIMD2<Double> {
    (self[column, row] + self[column + 1, row] + self[column, row + 1] + self[column + 1, row + 1])
      / 4
  }

  /// Steps to the next corner along the row and along the column; one-sided at the border.
  func directions(_ column: Int, _ row: Int) -> (
    alongRow: SIMD2<Double>, alongColumn: SIMD2<Double>
  ) {
    let (c0, c1) = (max(column - 1, 0), min(column + 1, columns - 1))
    let (r0, r1) = (max(row - 1, 0), min(row + 1, rows - 1))
    return (
      (self[c1, row] - self[c0, row]) / Double(c1 - c0),
      (self[column, r1] - self[column, r0]) / Double(r1 - r0)
    )
  }
}

/// The Euclidean length of a vector.
func length(_ v: SIMD2<Double>) -> Double { (v * v).sum().squareRoot() }

/// The z component of the cross product: positive if `b` lies clockwise of `a` with y down.
func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }
