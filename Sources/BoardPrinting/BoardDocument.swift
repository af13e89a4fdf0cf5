/// A board laid out on a sheet, ready to be written in any of the formats.
package struct BoardDocument: Sendable {
  let layout: SheetLayout
  private let title: String
  private let shapes: [PatternShape]
  private let unit: Double

  /// The sheet it stands on.
  package var sheet: Sheet { layout.sheet }

  /// The narrowest margin in units of the board: below that the outer squares touch what lies behind.
  private static let narrowestMarginUnits = 0.2

  /// Lays a board out on the first of the sheets that holds it.
  ///
  /// - Parameter margin: The white margin in metres; nil: as wide as the board wants it.
  /// - Throws: `PrintingError` that names the largest unit that fits.
  package init<Board: PrintableBoard>(
    _ board: Board, on sheets: [Sheet], margin: Double? = nil
  ) throws(PrintingError) {
    let canvas = CairoCanvas()
    let measure = { canvas.width(of: $0, size: SheetText.size) }
    guard measure(SheetLine("calibrate")) > 0 else {
      throw PrintingError(
        .noFont, subject: "\(board.title)",
        message: "there is no font to write its description with; install one, for example the "
          + "package fonts-dejavu-core")
    }
    if let margin, margin < Self.narrowestMarginUnits * board.unitMetres {
      throw PrintingError(
        .narrowMargin, subject: "a margin of \(LengthText.spaced(margin))",
        message: "it must be at least a fifth of the board's \(board.unitName), "
          + LengthText.spaced(Self.narrowestMarginUnits * board.unitMetres))
    }
    let space = margin ?? board.marginUnits * board.unitMetres
    for sheet in sheets {
      guard let layout = SheetLayout(board, margin: space, on: sheet, measure: measure) else {
        continue
      }
      self.layout = layout
      title = board.title
      unit = board.unitMetres
      shapes = board.shapes
      return
    }
    throw Self.doesNotFit(board, on: sheets, margin: margin)
  }

  /// The largest unit that fits on one of the sheets, in metres; nil where none does.
  ///
  /// On paper a multiple of 0.1 mm, on a screen whole pixels.
  package static func largestUnit<Board: PrintableBoard>(
    _ board: Board, on sheets: [Sheet], margin: Double? = nil
  ) -> Double? {
    let canvas = CairoCanvas()
    let measure = { canvas.width(of: $0, size: SheetText.size) }
    func fits(_ unit: Double, _ sheet: Sheet) -> Bool {
      let scaled = board.scaled(toUnitMetres: unit)
      return SheetLayout(
        scaled, margin: margin ?? scaled.marginUnits * unit, on: sheet, measure: measure) != nil
    }
    return sheets.compactMap { sheet -> Double? in
      let step = sheet.pixel ?? 0.0001
      let most = max(sheet.size.x, sheet.size.y) / step
      // How much room the text takes changes with its digits, so that the last one that fits may not
      // have all smaller ones below it; a bisection finds an edge, which is what counts here.
      var (low, high) = (0, Int(most) + 1)
      while high - low > 1 {
        let middle = (low + high) / 2
        if fits(unit(middle, step), sheet) { low = middle } else { high = middle }
      }
      return low > 0 ? unit(low, step) : nil
    }.max()
  }

  /// The widest white margin that leaves room for the board on one of the sheets, in metres, a multiple
  /// of 0.1 mm; nil where that is too narrow.
  package static func widestMargin<Board: PrintableBoard>(
    _ board: Board, on sheets: [Sheet]
  ) -> Double? {
    let canvas = CairoCanvas()
    let measure = { canvas.width(of: $0, size: SheetText.size) }
    func fits(_ steps: Int) -> Bool {
      let margin = unit(steps, 0.0001)
      return sheets.contains {
        SheetLayout(board, margin: margin, on: $0, measure: measure) != nil
      }
    }
    var low = Int((narrowestMarginUnits * board.unitMetres * 10_000).rounded(.up))
    var high = max(low, Int(board.marginUnits * board.unitMetres * 10_000)) + 1
    guard fits(low) else { return nil }
    while high - low > 1 {
      let middle = (low + high) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return unit(low, 0.0001)
  }

  /// A number of steps in metres, 217 tenths of a millimetre as 0.0217 to the last bit.
  private static func unit(_ count: Int, _ step: Double) -> Double {
    step == 0.0001 ? Double(count) / 10_000 : Double(count) * step
  }

  private static func doesNotFit<Board: PrintableBoard>(
    _ board: Board, on sheets: [Sheet], margin: Double?
  ) -> PrintingError {
    let size = board.patternUnits * board.unitMetres
    let space = margin ?? board.marginUnits * board.unitMetres
    let names =
      if let first = sheets.first, let last = sheets.last, sheets.count > 2 {
        "any sheet from \(first.name) to \(last.name)"
      } else {
        sheets.map(\.name).joined(separator: " or ")
      }
    var message =
      "its pattern of \(LengthText.millimetres(size.x)) x \(LengthText.millimetres(size.y)) mm with a "
      + "white margin of \(LengthText.spaced(space)), rulers and text does not fit on \(names). "
    if let largest = largestUnit(board, on: sheets, margin: margin) {
      message += "The largest \(board.unitName) that fit are \(LengthText.typed(largest))"
    } else {
      message += "No size of \(board.unitName) fits there"
    }
    if margin == nil, let narrower = widestMargin(board, on: sheets) {
      message += "; with --margin \(LengthText.typed(narrower)) these do"
    }
    return PrintingError(
      .doesNotFit, subject: board.title, message: message + "; a larger sheet holds more.")
  }

  func draw(on canvas: CairoCanvas) {
    canvas.fill(shapes, origin: layout.origin, unit: unit)
    for ruler in layout.rulers { draw(ruler, on: canvas) }
    for piece in layout.text.pieces {
      let place = layout.textStart + SIMD2(piece.x, Double(piece.row) * SheetText.leading)
      canvas.write(piece.line, at: place, size: SheetText.size)
    }
  }

  private func draw(_ ruler: Ruler, on canvas: CairoCanvas) {
    for (from, to) in ruler.ticks { canvas.line(from: from, to: to, width: Ruler.lineWidth) }
    canvas.line(from: ruler.start, to: ruler.end, width: Ruler.lineWidth)
    let label = SheetLine(LengthText.spaced(ruler.length))
    let depth = Ruler.depth + Ruler.labelSize
    let place =
      ruler.isVertical
      ? ruler.end + SIMD2(depth, 0) : ruler.start + SIMD2(0, depth)
    canvas.write(label, at: place, size: Ruler.labelSize, isUpward: ruler.isVertical)
  }

  /// The title as a document's title.
  var documentTitle: String { title }
}
