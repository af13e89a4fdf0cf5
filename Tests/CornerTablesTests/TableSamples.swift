import Boards
import CameraModel

@testable import CornerTables

/// A 9x6 board as three images show it: perspective, turned, upside down.
enum Sample {
  static let board = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 1)
  static let size = (width: 640, height: 480)

  /// The points row by row, the first at the top left of the board.
  static func points(_ index: Int) -> [SIMD2<Double>] {
    let turns = [0.1, -0.4, 3.3]
    let (c, s) = (cosine(turns[index]), sine(turns[index]))
    return board.cornerPoints.map { point in
      let (x, y) = (point.x - 4, point.y - 2.5)
      let (u, v) = (c * x - s * y, s * x + c * y)
      let depth = 1 + 0.03 * u - 0.05 * v
      return SIMD2(330.25 + 35 * u / depth, 235.125 + 35 * v / depth)
    }
  }

  // No Foundation: a few terms are plenty.
  private static func sine(_ x: Double) -> Double {
    var (sum, term) = (0.0, x)
    for n in 1..<15 {
      sum += term
      term *= -x * x / Double(2 * n * (2 * n + 1))
    }
    return sum
  }

  private static func cosine(_ x: Double) -> Double { sine(x + 1.570796326794896) }

  static func row(_ image: Int, _ point: SIMD2<Double>, _ last: String = "0") -> String {
    "image\(image).jpg \(point.x) \(point.y) \(last)"
  }

  /// The table of all three, its points in an order of one's own: for each place in the table the
  /// point of the board.
  static func table(
    legend: String = "# filename x y level", order: [Int] = Array(0..<54),
    row: (Int, SIMD2<Double>) -> String = { Sample.row($0, $1) }
  ) -> String {
    let rows = (0..<3).flatMap { image in
      let points = points(image)
      return order.map { row(image, points[$0]) }
    }
    return (["## made by hand", legend] + rows).joined(separator: "\n") + "\n"
  }

  static func read(
    _ text: String, board: ChessboardGeometry = board, size: (width: Int, height: Int)? = size
  ) throws(CornerTableError) -> CornerTable {
    var table = try CornerTable(parsing: Array(text.utf8), board: board)
    if let size { table.resolution = .init(width: size.width, height: size.height) }
    return try table.checked(for: board)
  }

  /// The same points, or the same seen after half a turn, which no table can tell apart.
  static func isSame(_ a: [SIMD2<Double>], _ b: [SIMD2<Double>]) -> Bool {
    a == b || a == b.reversed()
  }
}
