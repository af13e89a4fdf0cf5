/// The text of a sheet, broken into rows of a width.
struct SheetText: Sendable, Hashable {
  /// A piece of text in its place.
  struct Piece: Sendable, Hashable {
    /// The text.
    var line: SheetLine
    /// Which row it stands in.
    var row: Int
    /// How far from the row's left end it begins, metres.
    var x: Double
    /// How wide it is, metres.
    var width: Double
  }

  /// The height of the letters' square, metres: about 6.5 points.
  static let size = 0.0023
  /// From one row to the next, metres.
  static let leading = 0.003
  /// Between a text and the command behind it, metres.
  private static let space = 0.002

  /// The text in its places.
  private(set) var pieces: [Piece] = []

  /// Breaks texts into rows at most `width` metres wide; `measure` says how wide a text is.
  ///
  /// Commands are never broken: they are there to be typed. They follow the text before them in its
  /// row where there is room.
  init(_ texts: [SheetLine], width: Double, measure: (SheetLine) -> Double) {
    func append(_ line: SheetLine) {
      pieces.append(Piece(line: line, row: rowCount, x: 0, width: measure(line)))
    }
    for text in texts {
      guard !text.isCommand else {
        let own = measure(text)
        if let last = pieces.last, !last.line.isCommand,
          last.x + last.width + Self.space + own <= width
        {
          let x = last.x + last.width + Self.space
          pieces.append(Piece(line: text, row: last.row, x: x, width: own))
        } else {
          append(text)
        }
        continue
      }
      var line = ""
      for word in text.text.split(separator: " ") {
        let longer = line.isEmpty ? String(word) : "\(line) \(word)"
        if !line.isEmpty, measure(SheetLine(longer)) > width {
          append(SheetLine(line))
          line = String(word)
        } else {
          line = longer
        }
      }
      if !line.isEmpty { append(SheetLine(line)) }
    }
  }

  /// The number of rows.
  var rowCount: Int { (pieces.last?.row ?? -1) + 1 }

  /// The height of all rows, metres.
  var height: Double { Double(rowCount) * Self.leading }

  /// The width of the widest row, metres.
  var width: Double { pieces.map { $0.x + $0.width }.max() ?? 0 }
}
