/// A screen with square pixels.
package struct Screen: Sendable, Hashable, CustomStringConvertible {
  /// The diagonal of the visible area in metres.
  package var diagonal: Double
  /// Columns of pixels.
  package var width: Int
  /// Rows of pixels.
  package var height: Int

  /// Creates a screen.
  package init(diagonal: Double, width: Int, height: Int) {
    self.diagonal = diagonal
    self.width = width
    self.height = height
  }

  /// The side of a pixel in metres.
  package var pixel: Double {
    let (columns, rows) = (Double(width), Double(height))
    return diagonal / (columns * columns + rows * rows).squareRoot()
  }

  /// Size and pixels, for people.
  package var description: String {
    "\(LengthText.millimetres((diagonal * 1e4).rounded() / 1e4)) mm diagonal, \(width)x\(height)"
  }

  /// The board nearest to `board` whose unit is a whole number of pixels.
  package func snapped<Board: PrintableBoard>(_ board: Board) -> Board {
    board.scaled(toUnitMetres: max(1, (board.unitMetres / pixel).rounded()) * pixel)
  }
}
