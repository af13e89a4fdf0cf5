package import Boards

/// A chessboard as a thing: black squares on a white sheet, flat or slightly bent.
///
/// Board frame: the first inner corner is the origin, x runs along a row, y down the rows, z away
/// from who looks at the printed side. The square at the top left is black.
package struct PrintedBoard: Sendable, Hashable {
  /// The grid of inner corners.
  package var geometry: ChessboardGeometry
  /// The width of the white margin around the squares, in squares.
  package var marginSquares: Double
  /// How far the middle of the sheet stands back, in metres, by the sheet's curvature along x and y:
  /// z = bend.x (1 − x²) + bend.y (1 − y²), x and y from −1 to 1 across the sheet, margin included.
  package var bend: SIMD2<Double>

  /// Creates a board.
  package init(
    _ geometry: ChessboardGeometry, marginSquares: Double = 1, bend: SIMD2<Double> = SIMD2(0, 0)
  ) {
    self.geometry = geometry
    self.marginSquares = marginSquares
    self.bend = bend
  }

  /// A flat board of `columns` x `rows` inner corners with squares of 25 mm.
  package init(columns: Int, rows: Int, squareSizeMetres: Double = 0.025) {
    self.init(
      ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: squareSizeMetres))
  }

  /// An area of the board, in squares, before bending.
  package struct Rectangle: Sendable, Hashable {
    package var minX, minY, maxX, maxY: Double
  }

  /// The printed sheet with its margin, in squares.
  package var sheet: Rectangle { pattern(grownBy: marginSquares) }

  /// All squares with a border of `border` squares around, in squares.
  package func pattern(grownBy border: Double) -> Rectangle {
    Rectangle(
      minX: -1 - border, minY: -1 - border,
      maxX: Double(geometry.columns) + border, maxY: Double(geometry.rows) + border)
  }

  /// The black squares, in squares; the one at the top left is among them.
  package var blackSquares: [Rectangle] {
    (-1..<geometry.rows).flatMap { row in
      (-1..<geometry.columns).compactMap { column in
        guard (row + column) & 1 == 0 else { return nil }
        let (x, y) = (Double(column), Double(row))
        return Rectangle(minX: x, minY: y, maxX: x + 1, maxY: y + 1)
      }
    }
  }

  /// The point of the bent sheet that lies at (x, y), in squares, when it is flat; metres.
  package func surfacePoint(x: Double, y: Double) -> SIMD3<Double> {
    let (width, height) = (geometry.squareSizeMetres, geometry.squareHeightMetres)
    guard bend != SIMD2(0, 0) else { return SIMD3(x * width, y * height, 0) }
    let sheet = self.sheet
    let across = (2 * x - sheet.minX - sheet.maxX) / (sheet.maxX - sheet.minX)
    let down = (2 * y - sheet.minY - sheet.maxY) / (sheet.maxY - sheet.minY)
    return SIMD3(
      x * width, y * height, bend.x * (1 - across * across) + bend.y * (1 - down * down))
  }

  /// The inner corners where they really are, bent or not; metres, row by row.
  package var cornerPoints: [SIMD3<Double>] {
    (0..<geometry.rows).flatMap { row in
      (0..<geometry.columns).map { surfacePoint(x: Double($0), y: Double(row)) }
    }
  }
}
