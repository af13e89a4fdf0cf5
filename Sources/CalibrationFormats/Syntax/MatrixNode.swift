/// Numbers in rows and columns, as the file states them.
struct MatrixNode: Sendable, Hashable {
  var rows: Int
  var columns: Int
  /// `rows * columns` numbers, row by row.
  var values: [DecimalText]
  var line: Int

  subscript(row: Int, column: Int) -> DecimalText { values[row * columns + column] }
}

extension Node {
  /// Whether this value can be meant as a matrix or a list of numbers.
  var looksLikeMatrix: Bool {
    switch content {
    case .mapping: has("data") && (has("rows") || has("cols") || has("dt"))
    case .sequence(let elements): !elements.isEmpty && elements.allSatisfy(\.isNumberOrRow)
    case .scalar(let text):
      text.words.count > 1 && text.words.allSatisfy { DecimalText($0, line: 0) != nil }
    case .null: false
    }
  }

  private var isNumberOrRow: Bool {
    switch content {
    case .scalar(let text): DecimalText(text, line: 0) != nil
    case .sequence(let row):
      row.allSatisfy { $0.text.map { DecimalText($0, line: 0) != nil } ?? false }
    default: false
    }
  }

  /// A matrix in any of the spellings: `{rows, cols, data}`, a list of rows, a flat list (one row),
  /// text with numbers between white space (one row).
  func matrix(_ name: String) throws(FormatError) -> MatrixNode {
    switch content {
    case .mapping:
      let data = try required("data", in: name)
      let values = try data.flatNumbers(name)
      let rows = try value("rows").map { (n) throws(FormatError) in try n.whole("\(name).rows") }
      let columns = try value("cols").map { (n) throws(FormatError) in try n.whole("\(name).cols") }
      return try shaped(values, rows: rows, columns: columns, name: name)
    case .sequence(let elements) where elements.contains { $0.elements != nil }:
      let rows = try elements.map { (row) throws(FormatError) in try row.flatNumbers(name) }
      guard Set(rows.map(\.count)).count == 1, let first = rows.first else {
        throw FormatError(
          .badValue, line: line, "the rows of \(name) have different lengths; expected a matrix")
      }
      return MatrixNode(
        rows: rows.count, columns: first.count, values: rows.flatMap { $0 }, line: line)
    default:
      let values = try flatNumbers(name)
      return MatrixNode(rows: 1, columns: values.count, values: values, line: line)
    }
  }

  private func shaped(_ values: [DecimalText], rows: Int?, columns: Int?, name: String)
    throws(FormatError) -> MatrixNode
  {
    let (r, c): (Int, Int)
    switch (rows, columns) {
    case (let rows?, let columns?): (r, c) = (rows, columns)
    case (let rows?, nil): (r, c) = (rows, rows == 0 ? 0 : values.count / rows)
    case (nil, let columns?): (r, c) = (columns == 0 ? 0 : values.count / columns, columns)
    case (nil, nil): (r, c) = (1, values.count)
    }
    // Both counts fit 32 bits, so the product fits.
    guard r * c == values.count else {
      throw FormatError(
        .badValue, line: line,
        "\(name) has \(values.count) numbers where its rows and cols say \(r)x\(c)")
    }
    return MatrixNode(rows: r, columns: c, values: values, line: line)
  }

  /// The numbers of a flat list or of text; nested lists of one each count as flat.
  private func flatNumbers(_ name: String) throws(FormatError) -> [DecimalText] {
    switch content {
    case .sequence(let elements):
      var numbers: [DecimalText] = []
      for element in elements {
        if let inner = element.elements {
          for number in inner { numbers.append(try number.number(name)) }
        } else {
          numbers.append(try element.number(name))
        }
      }
      return numbers
    case .scalar(let text):
      return try text.words.map { (word) throws(FormatError) in
        try Node(content: .scalar(word), line: line).number(name)
      }
    case .null:
      return []
    case .mapping:
      throw FormatError(.badValue, line: line, "\(name) is \(kind); expected numbers")
    }
  }
}
