import Boards
import CameraModel

@testable import CornerTables

/// Tables of corners, text and JSON: read, put into order, written in both forms, read again.
func fuzzCorners(_ bytes: [UInt8]) {
  for (columns, rows) in [(4, 3), (3, 3), (3, 5)] {
    let board = ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: 1)
    do throws(CornerTableError) {
      var table = try CornerTable(parsing: bytes, board: board)
      if table.resolution == nil { table.resolution = Resolution(width: 640, height: 480) }
      check(try table.checked(for: board), board)
    } catch {
      requirePrintable("\(error)")
    }
  }
}

/// A table that was read makes sense, and comes back to the bit.
private func check(_ table: CornerTable, _ board: ChessboardGeometry) {
  for notice in table.notices { requirePrintable(notice) }
  for view in table.views {
    require(
      view.isEmpty || view.pixels.count == board.cornerCount, "all points of a board: \(view)")
    require(
      view.isUsed.count == view.pixels.count && view.deviations.count == view.pixels.count,
      "a mark and a deviation a point: \(view)")
    for (pixel, isUsed) in zip(view.pixels, view.isUsed) {
      require(pixel.isSeen || !isUsed, "what was not seen is not used: \(view)")
    }
    require(view.deviations.allSatisfy { $0 > 0 && $0.isFinite }, "deviations: \(view)")
  }
  compare(table, table.jsonText(board: board.canonical), board)
  guard let text = try? table.text(board: board.canonical) else { return }
  // Points in no clear order, which only random ones are, may be put into another one each time.
  guard let plain = try? CornerTable(parsing: Array(text.utf8), board: board) else {
    return require(false, "what was written is read: \(text)")
  }
  for (a, b) in zip(table.views, plain.views) where !a.isEmpty { compare(a, b, text) }
}

private func compare(_ table: CornerTable, _ text: String, _ board: ChessboardGeometry) {
  do throws(CornerTableError) {
    var again = try CornerTable(parsing: Array(text.utf8), board: board)
    again.resolution = table.resolution
    again = try again.checked(for: board)
    require(again.views.map(\.source) == table.views.map(\.source), "names come back: \(text)")
    for (a, b) in zip(table.views, again.views) where !a.isEmpty { compare(a, b, text) }
  } catch {
    require(false, "what was written is read: \(error)\n\(text)")
  }
}

private func compare(_ a: CornerTable.View, _ b: CornerTable.View, _ text: String) {
  require(a.isUsed == b.isUsed, "marks come back: \(text)")
  require(
    a.pixels.map { [$0.x.bitPattern, $0.y.bitPattern] }
      == b.pixels.map { [$0.x.bitPattern, $0.y.bitPattern] }, "points come back: \(text)")
}
