package import Boards

extension ChessboardGeometry: PrintableBoard {
  package var unitMetres: Double { squareSizeMetres }

  package var patternUnits: SIMD2<Double> {
    SIMD2(Double(columns + 1), Double(rows + 1) * aspect)
  }

  /// One square: less, and a dark table or the paper's shadow runs into the outer squares.
  package var marginUnits: Double { 1 }

  /// The dark squares; the one at the top left is dark.
  package var shapes: [PatternShape] {
    (0...rows).flatMap { row in
      (0...columns).filter { (row + $0) & 1 == 0 }.map { column in
        PatternShape(
          .rectangle(
            origin: SIMD2(Double(column), Double(row) * aspect), size: SIMD2(1, aspect)))
      }
    }
  }

  package var title: String {
    "Chessboard \(self) (inner corners), \(unitName) of \(LengthText.spaced(squareSizeMetres))"
  }

  package var unitName: String { "squares" }

  package var command: String {
    "calibrate --board \(self) --square \(LengthText.typed(squareSizeMetres))"
  }

  /// The lengths between the outermost inner corners: they are sharp points, the pattern's outer
  /// edges grow and shrink with the ink.
  package var measuring: [SheetLine] {
    let width = LengthText.millimetres(Double(columns - 1) * squareSizeMetres)
    let height = LengthText.millimetres(Double(rows - 1) * squareHeightMetres)
    return [
      SheetLine(
        "From the first to the last inner corner (where four squares meet): \(width) mm x \(height) mm. "
          + "If yours differ, give them in place of --square:"),
      SheetLine("--board-size \(width)x\(height)mm", isCommand: true),
    ]
  }

  package func scaled(toUnitMetres unit: Double) -> ChessboardGeometry {
    ChessboardGeometry(
      columns: columns, rows: rows, squareSizeMetres: unit, squareHeightMetres: unit * aspect)
  }

  private var aspect: Double { squareHeightMetres / squareSizeMetres }
}
