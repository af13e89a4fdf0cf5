extension ChessboardGeometry: CustomStringConvertible {
  /// The inner corners, `9x6`.
  public var description: String { "\(columns)x\(rows)" }
}

extension ChessboardGeometry {
  /// The squares rather than the inner corners, `10x7`: what people count by mistake.
  public var squaresDescription: String { "\(columns + 1)x\(rows + 1)" }

  /// The same board described with its columns and rows exchanged: turned by 90°.
  public var transposed: ChessboardGeometry {
    ChessboardGeometry(
      columns: rows, rows: columns, squareSizeMetres: squareHeightMetres,
      squareHeightMetres: squareSizeMetres)
  }

  /// The description with at least as many columns as rows; `6x9` becomes `9x6`.
  public var canonical: ChessboardGeometry { columns >= rows ? self : transposed }

  /// Whether both describe the same physical board; `9x6` and `6x9` do.
  public func isSameBoard(as other: ChessboardGeometry) -> Bool { canonical == other.canonical }

  /// In how many orientations the board looks the same: 1, 2 or 4.
  ///
  /// Turned by 180° the square at (i, j) comes to (columns − i, rows − j): its colour stays where
  /// columns + rows is even. Only then does the first corner stay ambiguous by 180°; `9x6` has a
  /// black and a white end. A quarter turn needs a square board besides, columns == rows: it takes
  /// (i, j) to (columns − j, i), which keeps the colour where the number of columns is even.
  public var orientationCount: Int {
    guard (columns + rows) & 1 == 0 else { return 1 }
    return columns == rows && columns & 1 == 0 ? 4 : 2
  }

  /// Where a corner stands in the row-by-row order after the board's order is turned by 180°.
  public func indexAfterHalfTurn(of index: Int) -> Int { cornerCount - 1 - index }
}
