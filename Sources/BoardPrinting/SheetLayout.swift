/// Where board, rulers and text stand on a sheet; metres from its top-left corner.
///
/// Rulers and text keep to a strip at the left and one at the bottom, outside the white margin. What
/// is left is the pattern's, in its middle. The margin itself may run to the edge of the paper: white
/// needs no ink.
struct SheetLayout: Sendable, Hashable {
  /// The sheet.
  var sheet: Sheet
  /// The top-left corner of the pattern.
  var origin: SIMD2<Double>
  /// The ruler at the bottom, and the one at the left.
  var rulers: [Ruler]
  /// Where the first row of the text begins: the left end of its base line.
  var textStart: SIMD2<Double>
  /// The text.
  var text: SheetText

  /// Between strips and other things, metres.
  private static let gap = 0.0015
  /// The narrowest column of text beside the ruler, metres.
  private static let narrowestText = 0.06

  /// Lays a board out.
  ///
  /// - Parameters:
  ///   - margin: The white margin in metres.
  ///   - measure: How wide a line of the text is, metres.
  /// - Returns: nil where it does not fit.
  init?(
    _ board: some PrintableBoard, margin: Double, on sheet: Sheet,
    measure: (SheetLine) -> Double
  ) {
    self.sheet = sheet
    let edge = sheet.edge
    let usable = sheet.size - 2 * edge
    guard
      let length = Ruler.lengths.first(where: { $0 <= usable.y - 0.012 && $0 <= usable.x - 0.012 })
    else { return nil }

    let texts =
      [SheetLine(board.title), SheetLine(board.command, isCommand: true)] + sheet.advice
      + board.measuring
    let labelled = Ruler.depth + Self.gap + Ruler.labelSize
    let beside = usable.x - length - 4 * Self.gap
    var text = SheetText(texts, width: usable.x, measure: measure)
    var strip = labelled + Self.gap + text.height
    var start = SIMD2(edge, labelled + Self.gap)
    if beside >= Self.narrowestText {
      let narrow = SheetText(texts, width: beside, measure: measure)
      if narrow.width <= beside, max(labelled, narrow.height) < strip {
        text = narrow
        strip = max(labelled, narrow.height)
        start = SIMD2(edge + length + 4 * Self.gap, 0)
      }
    }
    guard text.width <= usable.x else { return nil }

    let left = edge + labelled
    let bottom = edge + strip + Self.gap
    let stripTop = sheet.size.y - edge - strip
    self.text = text
    textStart = SIMD2(start.x, stripTop + start.y + SheetText.size)
    rulers = [
      Ruler(start: SIMD2(edge + Ruler.lineWidth, stripTop), length: length, isVertical: false),
      Ruler(start: SIMD2(edge, edge + Ruler.lineWidth), length: length, isVertical: true),
    ]

    let pattern = board.patternUnits * board.unitMetres
    let free = SIMD2(sheet.size.x - left, sheet.size.y - bottom)
    var origin = SIMD2(left, 0) + (free - pattern) / 2
    if let pixel = sheet.pixel { origin = (origin / pixel).rounded(.toNearestOrEven) * pixel }
    self.origin = origin
    let outer = max(margin, edge)
    // A tenth of a micrometre for rounding.
    let slack = 1e-7
    guard origin.x - left >= margin - slack, origin.y >= outer - slack,
      sheet.size.x - origin.x - pattern.x >= outer - slack,
      sheet.size.y - bottom - origin.y - pattern.y >= margin - slack
    else { return nil }
  }
}
