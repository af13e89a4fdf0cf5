internal import Boards
package import Imaging
internal import OpenCV

/// A chessboard of another size than asked for.
package struct BoardSuggestion: Sendable, Hashable {
  /// Inner corners along the longer side.
  package var columns: Int
  /// Inner corners along the shorter side.
  package var rows: Int
}

extension BoardSuggestion: CustomStringConvertible {
  /// For example `9x6 inner corners (10x7 squares)`.
  package var description: String {
    "\(columns)x\(rows) inner corners (\(columns + 1)x\(rows + 1) squares)"
  }
}

extension ChessboardDetector {
  /// The size of the board that the image shows, where it is not the one that was looked for.
  ///
  /// For images in which `detect` found nothing: people count squares instead of corners, or miss a
  /// row. Silent where it can't be seen on all four sides where the board ends: a wrong size would lead
  /// further astray than none. Takes at most 3 s of CPU time, usually a tenth of that.
  ///
  /// - Parameter isCancelled: Asked between two searches; true ends them without an answer.
  /// - Throws: As `detect`.
  package func suggestBoard(
    in image: GrayImage, isCancelled: () -> Bool = { false }
  ) throws -> BoardSuggestion? {
    let (columns, rows) = (max(board.columns, board.rows), min(board.columns, board.rows))
    let scale = min(1, 800 / Double(max(image.width, image.height)))
    // The largest grid around what is found; the finder enlarges a seed of 3x3 corners.
    for finder in [ChessboardSearch.Options.larger, [.larger, .exhaustive]] {
      if isCancelled() { return nil }
      var search = ChessboardSearch(columns: 3, rows: 3, finder: .sectorBased, options: finder)
      search.scale = scale
      search.cpuSeconds = 1
      guard case .found(let corners, let c, let r) = try search.run(in: image).outcome else {
        continue
      }
      let grid = CornerGrid(columns: c, rows: r, points: corners)
      if let found = try suggestion(grid, columns, rows, in: image) { return found }
    }
    // One less both ways (squares counted), one less or more either way.
    for (dc, dr) in [(-1, -1), (0, -1), (-1, 0), (1, 1), (0, 1), (1, 0)] {
      let (c, r) = (max(columns + dc, rows + dr), min(columns + dc, rows + dr))
      guard r >= 3 else { continue }
      if isCancelled() { return nil }
      var search = ChessboardSearch(columns: c, rows: r, finder: .classic)
      search.scale = scale
      search.work = 16
      search.cpuSeconds = 0.15
      guard let corners = try search.run(in: image).corners else { continue }
      let grid = CornerGrid(columns: c, rows: r, points: corners)
      if let found = try suggestion(grid, columns, rows, in: image) { return found }
    }
    return nil
  }

  /// The board of which `part` is a part; nil where it is no whole board, or the one asked for.
  private func suggestion(
    _ part: CornerGrid, _ columns: Int, _ rows: Int, in image: GrayImage
  ) throws -> BoardSuggestion? {
    guard part.columns * part.rows >= 12, GridConsistency(part, in: image).complaint == nil,
      let grid = try part.subPixel(in: image).grown(in: image)
    else { return nil }
    let found = BoardSuggestion(
      columns: max(grid.columns, grid.rows), rows: min(grid.columns, grid.rows))
    return found.columns == columns && found.rows == rows ? nil : found
  }
}
