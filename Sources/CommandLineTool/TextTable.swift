/// Cells in columns as wide as their widest cell.
package struct TextTable: Sendable {
  /// The side of a column that its cells stand at.
  package enum Alignment: Sendable {
    case left
    case right
  }

  /// The titles of the columns.
  package var header: [String]
  /// One a column.
  package var alignments: [Alignment]
  /// The cells, as many a row as there are columns.
  package var rows: [[String]]

  /// Creates a table.
  package init(header: [String], alignments: [Alignment], rows: [[String]] = []) {
    self.header = header
    self.alignments = alignments
    self.rows = rows
  }

  /// The lines of the table, each ending in a line feed.
  package var text: String {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { width($0[column]) }.max() ?? 0 }
    return all.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        if column > 0 { line += "  " }
        let padding = String(repeating: " ", count: widths[column] - width(cell))
        line += alignments[column] == .left ? cell + padding : padding + cell
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// Characters, not bytes; East Asian wide ones count once, which at worst bends a column.
  private func width(_ cell: String) -> Int { cell.count }
}
