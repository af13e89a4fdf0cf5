import Boards
import Imaging
import OpenCV
import TestSupport
import Testing

@testable import BoardDetection

@Suite struct BoardOrderTests {
  /// Pain 5: OpenCV's two finders start at opposite ends of the same board.
  @Test(arguments: [(9, 6), (6, 9), (8, 6), (7, 7), (6, 6)], [-0.5, 0.4])
  func bothFindersGiveOneOrder(size: (Int, Int), angle: Double) throws {
    var drawn = DrawnBoard(columns: size.0, rows: size.1, angle: angle)
    let middle = drawn.xAxis * Double(size.0 - 1) / 2 + drawn.yAxis * Double(size.1 - 1) / 2
    drawn.origin = SIMD2(200, 150) - middle
    let image = drawn.image
    var orders: [[SIMD2<Double>]] = []
    for finder in ChessboardSearch.Finder.allCases {
      for (columns, rows) in [size, (size.1, size.0)] {
        var search = ChessboardSearch(columns: columns, rows: rows, finder: finder)
        search.cpuSeconds = 10
        guard let corners = try search.run(in: image).corners else { continue }
        let grid = CornerGrid(columns: columns, rows: rows, points: corners)
        let ordered = grid.inBoardOrder(columns: size.0, rows: size.1, image: image)
        orders.append(try #require(ordered).points)
      }
    }
    #expect(orders.count >= 2)
    for order in orders {
      for (a, b) in zip(order, drawn.corners) { #expect(length(a - b) < 1) }
    }
  }

  @Test func everyWayOfCountingComesBackToOne() throws {
    let drawn = DrawnBoard(columns: 9, rows: 6, angle: 0.2)
    let image = drawn.image
    let truth = CornerGrid(columns: 9, rows: 6, points: drawn.corners)
    var grid = truth
    for _ in 0..<4 {
      for counted in [grid, grid.mirrored] {
        #expect(counted.inBoardOrder(columns: 9, rows: 6, image: image) == truth)
        // The other name of the board: its columns are the rows.
        let other = try #require(counted.inBoardOrder(columns: 6, rows: 9, image: image))
        #expect(!other.isMirrored)
        #expect(Set(other.points.map { [$0.x, $0.y] }) == Set(truth.points.map { [$0.x, $0.y] }))
      }
      grid = grid.quarterTurn
    }
    #expect(truth.inBoardOrder(columns: 8, rows: 6, image: image) == nil)
  }
}
