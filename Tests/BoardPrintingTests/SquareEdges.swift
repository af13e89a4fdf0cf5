import Boards
import Imaging

@testable import BoardPrinting

/// Where the edges between the squares of a drawn chessboard lie, from the light along lines through
/// their middles: exact where a pixel's grey is the share of it that is white.
struct SquareEdges {
  let image: GrayImage
  let document: BoardDocument
  let board: ChessboardGeometry
  /// Pixels a metre.
  let scale: Double

  /// The side of a square in pixels.
  var side: Double { board.squareSizeMetres * scale }

  /// The edges along a row of squares (or down a column), pixels from the picture's edge.
  func edges(line: Int, isVertical: Bool) -> [Double] {
    let origin = document.layout.origin * scale
    let count = (isVertical ? board.rows : board.columns) + 1
    let start = isVertical ? origin.y : origin.x
    let across = Int((isVertical ? origin.x : origin.y) + (Double(line) + 0.5) * side)
    return (0..<(count - 1)).map { square in
      // From the middle of a square to the middle of the next.
      let from = Int((start + (Double(square) + 0.5) * side).rounded())
      let to = Int((start + (Double(square) + 1.5) * side).rounded())
      var dark = 0.0
      for place in from..<to {
        let (x, y) = isVertical ? (across, place) : (place, across)
        dark += 1 - Double(image.pixels[y * image.width + x]) / 255
      }
      let firstIsDark = (square + line) & 1 == 0
      return firstIsDark ? Double(from) + dark : Double(to) - dark
    }
  }
}
