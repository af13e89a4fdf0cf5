import Boards
import Testing

@testable import BoardPrinting

@Suite("Boards on sheets")
struct LayoutTests {
  private func board(_ columns: Int, _ rows: Int, _ square: Double) -> ChessboardGeometry {
    ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: square)
  }

  @Test("On every paper the largest square fits and the next larger one does not")
  func largest() throws {
    for (_, paper) in Paper.named {
      for (columns, rows) in [(9, 6), (6, 9), (3, 3), (20, 4)] {
        let sample = board(columns, rows, 0.01)
        let sheets = Sheet.orientations(of: paper, for: sample)
        guard let unit = BoardDocument.largestUnit(sample, on: sheets) else {
          Issue.record("\(columns)x\(rows) on \(paper)")
          continue
        }
        _ = try BoardDocument(board(columns, rows, unit), on: sheets)
        let error = #expect(throws: PrintingError.self) {
          try BoardDocument(self.board(columns, rows, unit + 0.0001), on: sheets)
        }
        #expect(error?.code == .doesNotFit)
        #expect(
          error?.message.contains("\(LengthText.typed(unit));") == true, "\(error as Any) \(unit)")
      }
    }
  }

  @Test("Margins stay white: rulers, text and the paper's edge lie outside")
  func margins() throws {
    for paper in [Paper.usual[0], Paper.usual[1]] {
      for (columns, rows, square) in [(9, 6, 0.02), (6, 9, 0.02), (12, 3, 0.016)] {
        let board = board(columns, rows, square)
        let document = try BoardDocument(board, on: Sheet.orientations(of: paper, for: board))
        let layout = document.layout
        let from = layout.origin - square
        let to = layout.origin + (board.patternUnits + 1) * square
        #expect(from.x >= -1e-6 && from.y >= -1e-6)
        #expect(to.x <= layout.sheet.size.x + 1e-6 && to.y <= layout.sheet.size.y + 1e-6)
        for ruler in layout.rulers {
          #expect(ruler.length == 0.1)
          let reach = Ruler.depth + Ruler.labelSize
          #expect(ruler.isVertical ? ruler.start.x + reach <= from.x : ruler.start.y >= to.y)
        }
        #expect(layout.textStart.y - SheetText.size >= to.y - 1e-6)
        let last = layout.textStart.y + Double(layout.text.rowCount - 1) * SheetText.leading
        #expect(last <= layout.sheet.size.y - layout.sheet.edge + 1e-6)
        #expect(
          layout.textStart.x + layout.text.width <= layout.sheet.size.x - layout.sheet.edge + 1e-6)
      }
    }
  }

  @Test("The paper lies as the board does")
  func orientation() throws {
    let a4 = Paper.usual[0]
    for (columns, rows, name) in [(9, 6, "A4 landscape"), (6, 9, "A4 portrait")] {
      let board = board(columns, rows, 0.02)
      let document = try BoardDocument(board, on: Sheet.orientations(of: a4, for: board))
      #expect(document.sheet.name == name)
    }
  }

  @Test("A margin that is none and pictures beyond all measure are refused")
  func refusals() throws {
    let board = board(9, 6, 0.02)
    let sheets = Sheet.orientations(of: Paper.usual[0], for: board)
    let narrow = #expect(throws: PrintingError.self) {
      try BoardDocument(board, on: sheets, margin: 0.003)
    }
    #expect(narrow?.code == .narrowMargin)
    let document = try BoardDocument(board, on: sheets)
    let huge = #expect(throws: PrintingError.self) {
      try document.data(.png, pixelsPerMetre: 2_000_000)
    }
    #expect(huge?.code == .tooManyPixels)
  }

  @Test(
    "Lengths read as one would write them",
    arguments: [
      (0.025, "25"), (0.0245, "24.5"), (0.0254, "25.4"), (0.1, "100"), (0.03525652412, "35.25652"),
      (0.0001, "0.1"), (1.189, "1189"), (0, "0"), (-0.0005, "-0.5"),
    ])
  func lengths(metres: Double, text: String) {
    #expect(LengthText.millimetres(metres) == text)
  }

  @Test("Commands stay whole, and follow their text where there is room")
  func wrapping() {
    let measure: (SheetLine) -> Double = { Double($0.text.count) }
    let lines = [SheetLine("one two three"), SheetLine("a b", isCommand: true)]
    let wide = SheetText(lines, width: 40, measure: measure)
    #expect(wide.rowCount == 1)
    #expect(wide.pieces.map(\.line.text) == ["one two three", "a b"])
    let narrow = SheetText(lines, width: 8, measure: measure)
    #expect(narrow.pieces.map(\.line.text) == ["one two", "three", "a b"])
    #expect(narrow.pieces.map(\.row) == [0, 1, 2])
    #expect(SheetText([], width: 8, measure: measure).rowCount == 0)
  }
}
