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
  /// row. First the sizes that such slips lead to are looked for, then any.
  /// Takes at most 1.5 s of CPU time.
  ///
  /// - Throws: As `detect`.
  package func suggestBoard(in image: GrayImage) throws -> BoardSuggestion? {
    let (columns, rows) = (max(board.columns, board.rows), min(board.columns, board.rows))
    let scale = min(1, 800 / Double(max(image.width, image.height)))
    var left = 1.5
    // The whole board at once: the largest grid around what was found.
    for finder in [ChessboardSearch.Options.larger, [.larger, .exhaustive]] {
      var search = ChessboardSearch(columns: 3, rows: 3, finder: .sectorBased, options: finder)
      search.scale = scale
      search.cpuSeconds = left
      guard left > 0.01 else { return nil }
      let answer = try search.run(in: image)
      left -= answer.cpuSeconds
      guard case .found(let corners, let c, let r) = answer.outcome else { continue }
      let grid = CornerGrid(columns: c, rows: r, points: corners)
      // Part of the board that was asked for says nothing.
      guard max(c, r) != columns || min(c, r) != rows else { continue }
      guard GridConsistency(grid, in: image).complaint == nil, c * r >= 12 else { continue }
      return BoardSuggestion(columns: max(c, r), rows: min(c, r))
    }
    // One less both ways (squares counted), one less or more either way.
    for (dc, dr) in [(-1, -1), (0, -1), (-1, 0), (1, 1), (0, 1), (1, 0)] {
      let (c, r) = (max(columns + dc, rows + dr), min(columns + dc, rows + dr))
      guard r >= 3, left > 0.01 else { continue }
      var search = ChessboardSearch(columns: c, rows: r, finder: .classic)
      search.scale = scale
      search.cpuSeconds = min(0.15, left)
      let answer = try search.run(in: image)
      left -= answer.cpuSeconds
      if let corners = answer.corners,
        GridConsistency(CornerGrid(columns: c, rows: r, points: corners), in: image).complaint
          == nil
      {
        return BoardSuggestion(columns: c, rows: r)
      }
    }
    return nil
  }
}
