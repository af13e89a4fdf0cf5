/// Cells in columns as wide as their widest cell.
struct TextTable {
  enum Alignment {
    case left
    case right
  }

  var header: [String]
  var alignments: [Alignment]
  var rows: [[String]] = []

  var text: String {
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
