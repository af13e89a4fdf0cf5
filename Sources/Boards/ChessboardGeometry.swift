/// A chessboard as a calibration target: the grid of its inner corners.
///
/// The first inner corner is the board's origin; x runs along a row, y down the rows, z away from
/// the viewer of the printed side. Corner `row * columns + column` lies at
/// (column, row, 0) · `squareSizeMetres`.
public struct ChessboardGeometry: Sendable, Hashable {
  /// The number of inner corners in a row, at least 2.
  public var columns: Int
  /// The number of rows of inner corners, at least 2.
  public var rows: Int
  /// The side of a square in metres.
  public var squareSizeMetres: Double

  /// Creates a board of `columns` x `rows` inner corners.
  public init(columns: Int, rows: Int, squareSizeMetres: Double) {
    self.columns = columns
    self.rows = rows
    self.squareSizeMetres = squareSizeMetres
  }

  /// The number of inner corners.
  public var cornerCount: Int { columns * rows }

  /// The corners in board coordinates, metres, row by row.
  public var cornerPoints: [SIMD3<Double>] {
    (0..<rows).flatMap { row in
      (0..<columns).map { column in
        SIMD3(Double(column), Double(row), 0) * squareSizeMetres
      }
    }
  }
}
