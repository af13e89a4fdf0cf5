/// What a board is drawn on: a sheet of paper in one of its orientations, or a screen.
package struct Sheet: Sendable, Hashable {
  /// What it is called: `A4 landscape`.
  package var name: String
  /// Width and height in metres.
  package var size: SIMD2<Double>
  /// The width in metres of the border that printers leave empty, and that looks better on a screen.
  package var edge: Double
  /// How to bring it out at its true size.
  package var advice: [SheetLine]
  /// The side of a pixel in metres where lines have to fall between pixels; nil on paper.
  package var pixel: Double?

  /// What printers leave empty: 5 mm, ink-jet printers at the lower edge included.
  private static let printerEdge = 0.005

  /// A sheet of paper.
  package init(_ paper: Paper, isLandscape: Bool) {
    let (short, long) = (min(paper.width, paper.height), max(paper.width, paper.height))
    name = paper.name + (short == long ? "" : isLandscape ? " landscape" : " portrait")
    size = isLandscape ? SIMD2(long, short) : SIMD2(short, long)
    edge = Self.printerEdge
    advice = [
      SheetLine(
        "Print at 100 % (actual size), not fitted to the page. Measure both rulers. Glue it flat on "
          + "something stiff.")
    ]
    pixel = nil
  }

  /// The white sheet that fills a screen.
  package init(_ screen: Screen) {
    name = "screen of \(screen)"
    size = SIMD2(Double(screen.width), Double(screen.height)) * screen.pixel
    edge = 0.002
    advice = [
      SheetLine(
        "Show full-screen at 100 %: one pixel of the picture on one pixel of the screen. Measure both "
          + "rulers.")
    ]
    pixel = screen.pixel
  }

  /// Both orientations of a paper, the one that suits the board's pattern first.
  package static func orientations(
    of paper: Paper, for board: some PrintableBoard
  ) -> [Sheet] {
    let isWide = board.patternUnits.x > board.patternUnits.y
    let first = Sheet(paper, isLandscape: isWide)
    return paper.width == paper.height ? [first] : [first, Sheet(paper, isLandscape: !isWide)]
  }
}
