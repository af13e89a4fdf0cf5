/// A chessboard as a calibration target: the grid of its inner corners.
///
/// The first inner corner is the board's origin; x runs along a row, y down the rows, z away from
/// the viewer of the printed side. Corner `row * columns + column` lies at
/// (column · `squareSizeMetres`, row · `squareHeightMetres`, 0).
public struct ChessboardGeometry: Sendable, Hashable {
  /// The number of inner corners in a row, at least 2.
  public var columns: Int
  /// The number of rows of inner corners, at least 2.
  public var rows: Int
  /// The side of a square in metres; along a row where the other side is not the same.
  public var squareSizeMetres: Double
  /// The side of a square down the rows in metres: printers stretch one direction.
  public var squareHeightMetres: Double

  /// Creates a board of `columns` x `rows` inner corners.
  ///
  /// - Parameter squareHeightMetres: The side down the rows; nil: as along a row.
  public init(
    columns: Int, rows: Int, squareSizeMetres: Double, squareHeightMetres: Double? = nil
  ) {
    self.columns = columns
    self.rows = rows
    self.squareSizeMetres = squareSizeMetres
    self.squareHeightMetres = squareHeightMetres ?? squareSizeMetres
  }

  /// Whether the squares are longer in one direction.
  public var hasUnequalSides: Bool { squareSizeMetres != squareHeightMetres }

  /// The number of inner corners.
  public var cornerCount: Int { columns * rows }

  /// The corners in board coordinates, metres, row by row.
  public var cornerPoints: [SIMD3<Double>] {
    (0..<rows).flatMap { row in
      (0..<columns).map { column in
        SIMD3(Double(column) * squareSizeMetres, Double(row) * squareHeightMetres, 0)
      }
    }
  }
}
