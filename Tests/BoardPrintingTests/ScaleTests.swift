import BoardDetection
import Boards
import Imaging
import Testing

@testable import BoardPrinting

@Suite("Printed boards at their true scale")
struct ScaleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var columns: Int
    var rows: Int
    var square: Double
    var paper: String
    var margin: Double?

    var board: ChessboardGeometry {
      ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: square)
    }
    var testDescription: String { "\(columns)x\(rows) \(square) \(paper)" }

    func document() throws -> BoardDocument {
      let named = try #require(Paper.named.first { $0.word == paper })
      return try BoardDocument(
        board, on: Sheet.orientations(of: named.paper, for: board), margin: margin)
    }
  }

  static let cases = [
    Case(columns: 9, rows: 6, square: 0.025, paper: "a4", margin: 0.006),
    Case(columns: 9, rows: 6, square: 0.0204, paper: "letter"),
    Case(columns: 6, rows: 9, square: 0.02, paper: "a4"),
    Case(columns: 7, rows: 7, square: 0.0254, paper: "a3"),
    Case(columns: 5, rows: 4, square: 0.0111, paper: "a5"),
  ]

  /// Finds the board where it belongs, and measures every square in both directions.
  private func check(
    _ image: GrayImage, _ document: BoardDocument, _ board: ChessboardGeometry, scale: Double,
    tolerance: Double = 0.001
  ) throws {
    let found = try #require(try ChessboardDetector(board: board).detect(in: image).board)
    for (corner, point) in zip(found.corners, board.cornerPoints) {
      let place =
        (document.layout.origin + SIMD2(point.x, point.y) + board.squareSizeMetres) * scale - 0.5
      // Unblurred edges are read to a third of a pixel.
      #expect(abs(corner.x - place.x) < 0.6 && abs(corner.y - place.y) < 0.6, "\(corner) \(place)")
    }
    let measured = SquareEdges(image: image, document: document, board: board, scale: scale)
    for isVertical in [false, true] {
      for line in 0...(isVertical ? board.columns : board.rows) {
        let edges = measured.edges(line: line, isVertical: isVertical)
        for (one, next) in zip(edges, edges.dropFirst()) {
          #expect(abs((next - one) / measured.side - 1) < tolerance, "\(one) \(next)")
        }
        let whole = edges[edges.count - 1] - edges[0]
        #expect(abs(whole / (measured.side * Double(edges.count - 1)) - 1) < 0.001)
      }
    }
  }

  @Test(
    "pains 21, 23: a PDF at 300 dpi has its squares to 0.1 % and shows the board that was asked for",
    arguments: cases + [Case(columns: 9, rows: 6, square: 0.0245, paper: "a3")])
  func pdf(_ sample: Case) throws {
    let document = try sample.document()
    let pdf = try document.data(.pdf, pixelsPerMetre: 0)
    let scale = 300 / 0.0254
    try check(
      Poppler.finerImage(of: pdf, dpi: 300), document, sample.board, scale: scale)
    let image = try Poppler.image(of: pdf, dpi: 300)
    #expect(abs(Double(image.width) - document.sheet.size.x * scale) <= 1)
    #expect(abs(Double(image.height) - document.sheet.size.y * scale) <= 1)
    // pdftoppm knows quarters of a pixel at an edge, and shows them through a gamma curve.
    try check(
      image, document, sample.board, scale: scale,
      tolerance: max(0.001, 0.4 / (sample.square * scale)))
    try rulers(image, document, scale)
  }

  @Test(
    "A PNG for paper has its squares to 0.1 %, and its resolution in the file", arguments: cases)
  func png(_ sample: Case) throws {
    let document = try sample.document()
    let scale = 300 / 0.0254
    let bytes = try document.data(.png, pixelsPerMetre: scale)
    try check(
      ImageFile.grayImage(of: bytes.span.bytes, named: "png"), document, sample.board, scale: scale)
    let chunk = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("pHYs".utf8)) })
    // 300 dpi are 11811.02 pixels a metre; 1 is the code of the metre.
    #expect(Array(bytes[(chunk + 4)..<(chunk + 13)]) == [0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1])
    // The checksum of exactly this chunk, from zlib.
    #expect(Array(bytes[(chunk + 13)..<(chunk + 17)]) == [0x78, 0xa5, 0x3f, 0x76])
  }

  /// Both rulers, from the first tick to the last one.
  private func rulers(_ image: GrayImage, _ document: BoardDocument, _ scale: Double) throws {
    for ruler in document.layout.rulers {
      // A line across the shortest ticks, and how dark it is along the scale.
      let across = (Ruler.depth * 0.3) * scale
      let start = ruler.start * scale
      let length = Int((ruler.length * scale).rounded(.up)) + 8
      var dark: [Double] = []
      for step in -8..<length {
        let place = ruler.isVertical ? SIMD2(across, Double(step)) : SIMD2(Double(step), across)
        let (x, y) = (Int(start.x + place.x), Int(start.y + place.y))
        let inside = (0..<image.width).contains(x) && (0..<image.height).contains(y)
        dark.append(inside ? 255 - Double(image.pixels[y * image.width + x]) : 0)
      }
      func centre(_ range: Range<Int>) -> Double {
        let weights = range.map { dark[$0] }
        let sum = weights.reduce(0, +)
        return zip(range, weights).map { Double($0) * $1 }.reduce(0, +) / max(sum, 1e-9)
      }
      let last = dark.count - 9 - 1
      let (from, to) = (centre(2..<14), centre((last - 5)..<(last + 7)))
      // A tenth of a per cent of the ruler is more than a pixel.
      #expect(abs((to - from) / (ruler.length * scale) - 1) < 0.001, "\(from) \(to)")
      // A tick each millimetre.
      var (count, isDark) = (0, false)
      for value in dark {
        if value > 90, !isDark { count += 1 }
        isDark = value > 90
      }
      #expect(count == Int((ruler.length * 1000).rounded()) + 1)
    }
  }

  @Test("The sheet says what it is, how to print it, what to measure and what to type")
  func text() throws {
    let document = try #require(Self.cases.first).document()
    let text = try Poppler.text(of: document.data(.pdf, pixelsPerMetre: 0))
    for words in [
      "Chessboard 9x6 (inner corners), squares of 25 mm", "calibrate --board 9x6 --square 25mm",
      "Print at 100 % (actual size)", "Measure both rulers", "200 mm x 125 mm",
      "From the first to the last inner corner", "--board-size 200x125mm", "100 mm",
    ] {
      #expect(text.contains(words), "\(words) is not in: \(text)")
    }
  }

  @Test("A screen's board has whole pixels and nothing but black and white in its squares")
  func screen() throws {
    let screen = Screen(diagonal: 27 * 0.0254, width: 2560, height: 1440)
    let sample = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.025)
    let board = screen.snapped(sample)
    #expect(abs(board.squareSizeMetres - 0.025) < screen.pixel / 2)
    let side = Int((board.squareSizeMetres / screen.pixel).rounded())
    #expect(abs(Double(side) * screen.pixel - board.squareSizeMetres) < 1e-12)
    let document = try BoardDocument(board, on: [Sheet(screen)])
    let bytes = try document.data(.png, pixelsPerMetre: 1)
    let image = try ImageFile.grayImage(of: bytes.span.bytes, named: "png")
    #expect(image.width == 2560 && image.height == 1440)
    let left = Int((document.layout.origin.x / screen.pixel).rounded())
    let top = Int((document.layout.origin.y / screen.pixel).rounded())
    var wrong = 0
    for y in -side..<(8 * side) {
      for x in -side..<(11 * side) {
        let onBoard = x >= 0 && y >= 0 && x < 10 * side && y < 7 * side
        let isDark = onBoard && (x / side + y / side) & 1 == 0
        if image.pixels[(top + y) * 2560 + left + x] != (isDark ? 0 : 255) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    let found = try ChessboardDetector(board: board).detect(in: image).board
    #expect(found != nil)
  }
}
