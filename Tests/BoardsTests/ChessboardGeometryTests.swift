import Boards
import Testing

@Suite("Chessboard geometry")
struct ChessboardGeometryTests {
  private let board = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.025)

  @Test("corners run along the rows, x first, z = 0")
  func corners() {
    let points = board.cornerPoints
    #expect(points.count == 54 && board.cornerCount == 54)
    #expect(points[0] == SIMD3(0, 0, 0))
    #expect(points[1] == SIMD3(0.025, 0, 0))
    #expect(points[9] == SIMD3(0, 0.025, 0))
    #expect(points[53] == SIMD3(8, 5, 0) * 0.025)
  }

  @Test("9x6 and 6x9 are the same board, 9x7 and other squares are not")
  func equivalence() {
    #expect(board.isSameBoard(as: board.transposed))
    #expect(board.transposed.description == "6x9" && board.transposed.canonical == board)
    #expect(
      !board.isSameBoard(as: ChessboardGeometry(columns: 9, rows: 7, squareSizeMetres: 0.025)))
    #expect(!board.isSameBoard(as: ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.03)))
  }

  @Test("descriptions name corners, and squares where asked")
  func descriptions() {
    #expect("\(board)" == "9x6")
    #expect(board.squaresDescription == "10x7")
  }

  /// Whether the board's colours are the same after `turns` quarter turns, found by turning them.
  private func looksTheSame(_ columns: Int, _ rows: Int, afterQuarterTurns turns: Int) -> Bool {
    var squares = (0...rows).map { row in (0...columns).map { (row + $0) & 1 } }
    let original = squares
    for _ in 0..<turns {
      let (height, width) = (squares.count, squares[0].count)
      squares = (0..<width).map { column in
        (0..<height).map { row in squares[height - 1 - row][column] }
      }
    }
    return squares == original
  }

  @Test("the number of orientations that look the same", arguments: 3...8, 3...8)
  func orientations(columns: Int, rows: Int) {
    let counted = (0..<4).count { looksTheSame(columns, rows, afterQuarterTurns: $0) }
    let board = ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: 1)
    #expect(board.orientationCount == counted)
  }

  @Test("boards that can't be looked for are refused with what to do")
  func validation() throws {
    try board.validate()
    #expect(throws: BoardError.self) {
      try ChessboardGeometry(validColumns: 9, rows: 2, squareSizeMetres: 0.025)
    }
    do {
      _ = try ChessboardGeometry(validColumns: 900, rows: 6, squareSizeMetres: 0.025)
      Issue.record("900 columns were accepted")
    } catch {
      #expect(error.code == .cornerCount)
      #expect(error.message.contains("900 columns") && error.message.contains("3 to 100"))
    }
    for size in [0, -0.025, 25, .nan, .infinity] {
      do {
        _ = try ChessboardGeometry(validColumns: 9, rows: 6, squareSizeMetres: size)
        Issue.record("squares of \(size) m were accepted")
      } catch {
        #expect(error.code == .squareSize)
      }
    }
  }
}
