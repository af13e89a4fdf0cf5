import Boards
import CameraModel
import Testing

@testable import CornerTables

@Suite("The order of points")
struct PointOrderTests {
  static let (columns, rows) = (9, 6)

  /// For each place in the table, row and column of the board.
  static func order(_ place: (Int, Int) -> Int, _ outer: Int, _ inner: Int) -> [Int] {
    (0..<outer).flatMap { o in (0..<inner).map { place(o, $0) } }
  }

  static let byColumns = order({ $1 * columns + $0 }, columns, rows)
  static let rowsReversed = order({ (rows - 1 - $0) * columns + $1 }, rows, columns)
  static let eachRowReversed = order({ $0 * columns + columns - 1 - $1 }, rows, columns)
  static let halfTurn = Array((0..<54).reversed())
  static let quarterTurn = order({ (rows - 1 - $1) * columns + $0 }, columns, rows)
  static let serpentine = order(
    { $0 * columns + ($0 % 2 == 0 ? $1 : columns - 1 - $1) }, rows, columns)
  static let scrambled = order({ $0 * columns + ($1 * 5 + $0) % columns }, rows, columns)

  @Test(
    "Orders of a board are put right, the mirrored ones with a word",
    arguments: [
      (byColumns, "column by column"), (rowsReversed, "mirrored order"),
      (eachRowReversed, "mirrored order"), (halfTurn, nil), (quarterTurn, nil),
    ])
  func mended(order: [Int], word: String?) throws {
    let table = try Sample.read(Sample.table(order: order))
    for (index, view) in table.views.enumerated() {
      #expect(Sample.isSame(view.pixels, Sample.points(index)), "image \(index)")
    }
    let notices = table.notices.dropFirst()
    #expect(notices.count == (word == nil ? 0 : 1), "\(notices)")
    if let word { #expect(notices.first?.contains(word) == true, "\(notices)") }
  }

  @Test("What is in no order of a board is refused", arguments: [serpentine, scrambled])
  func refused(order: [Int]) {
    let error = #expect(throws: CornerTableError.self) {
      try Sample.read(Sample.table(order: order))
    }
    #expect(error?.message.contains("in no order of a 9x6 board") == true)
  }

  @Test("One image in disorder is set aside, the others stay")
  func oneScrambled() throws {
    let points = Sample.points(1)
    var index = -1
    let table = try Sample.read(
      Sample.table { image, point in
        index = image == 1 ? index + 1 : -1
        return Sample.row(image, image == 1 ? points[Self.scrambled[index]] : point)
      })
    #expect(table.views[1].reason == "its points are in no order of a 9x6 board")
    #expect(!table.views[1].isUsed.contains(true))
    #expect(table.views[0].reason == nil && table.views[2].reason == nil)
  }

  @Test("x and y that are exchanged: mended where the size shows it, refused where nothing does")
  func exchanged() throws {
    let far = Sample.table { Sample.row($0, SIMD2($1.y, $1.x + 130)) }
    let table = try Sample.read(far)
    for (index, view) in table.views.enumerated() {
      let moved = Sample.points(index).map { SIMD2($0.x + 130, $0.y) }
      #expect(Sample.isSame(view.pixels, moved))
    }
    #expect(table.notices.contains { $0.contains("x and y are exchanged") })
    let near = Sample.table { Sample.row($0, SIMD2($1.y, $1.x)) }
    let error = #expect(throws: CornerTableError.self) { try Sample.read(near) }
    #expect(error?.message.contains("# filename y x") == true, "\(error?.message ?? "")")
    // And as the message says:
    let named = Sample.table(legend: "# filename y x level") { Sample.row($0, SIMD2($1.y, $1.x)) }
    #expect(try Sample.read(named).views.map(\.pixels) == (0..<3).map { Sample.points($0) })
  }

  @Test("A size whose sides are exchanged is not taken for exchanged points")
  func exchangedSize() {
    let far = Sample.table { Sample.row($0, SIMD2($1.x + 130, $1.y)) }
    let error = #expect(throws: CornerTableError.self) {
      try Sample.read(far, size: (480, 640))
    }
    #expect(error?.message.contains("try --size 640x480") == true, "\(error?.message ?? "")")
  }

  @Test("A board given as 6x9 is the same board")
  func transposedBoard() throws {
    let board = ChessboardGeometry(columns: 6, rows: 9, squareSizeMetres: 1)
    let table = try Sample.read(Sample.table(), board: board)
    #expect(table.views.map(\.pixels) == (0..<3).map { Sample.points($0) })
  }

  @Test("The points file beside a record gives its points back")
  func storedPoints() throws {
    let points = Sample.points(0)
    let board = Sample.board.cornerPoints.map { "\($0.x * 0.025), \($0.y * 0.025), 0" }
    // Every fifth one was not seen, every seventh left out.
    let kept = points.indices.filter { $0 % 5 != 2 }
    let json = """
      {"schema": 1, "resolution": {"width": 640, "height": 480}, "views": [{"source": "a.jpg",
       "board": [\(kept.map { board[$0] }.joined(separator: ","))],
       "pixels": [\(kept.map { "\(points[$0].x),\(points[$0].y)" }.joined(separator: ","))],
       "residuals": [], "used": [\(kept.map { $0 % 7 == 3 ? "false" : "true" }.joined(separator: ","))]}]}
      """
    let table = try Sample.read(json, size: nil)
    #expect(table.resolution == Resolution(width: 640, height: 480))
    for index in points.indices {
      let isSeen = index % 5 != 2
      #expect(table.views[0].pixels[index].isSeen == isSeen)
      if isSeen { #expect(table.views[0].pixels[index] == points[index]) }
      #expect(table.views[0].isUsed[index] == (isSeen && index % 7 != 3))
    }
    let small = ChessboardGeometry(columns: 8, rows: 6, squareSizeMetres: 1)
    #expect(throws: CornerTableError.self) { try Sample.read(json, board: small, size: nil) }
  }
}
