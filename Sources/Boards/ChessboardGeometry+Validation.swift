extension ChessboardGeometry {
  /// How many inner corners a row or a column of a board may have.
  ///
  /// Three is the least that OpenCV's finders accept; with two the grid has no inner square to be
  /// sure of. More than 100 corners a side leave less than 20 pixels a square even on the largest
  /// sensors, and a typing error is likelier.
  public static let cornersPerSide = 3...100

  /// Lengths of a square's side that make sense, in metres: a tenth of a millimetre to 10 m.
  public static let squareSizesMetres = 0.0001...10.0

  /// Checks that this is a board that can be looked for.
  ///
  /// - Throws: `BoardError` that names the number and what is allowed.
  public func validate() throws(BoardError) {
    let allowed = Self.cornersPerSide
    for (count, name) in [(columns, "columns"), (rows, "rows")] where !allowed.contains(count) {
      throw BoardError(
        code: .cornerCount,
        message: "board \(self): \(count) \(name) of inner corners, but a board has "
          + "\(allowed.lowerBound) to \(allowed.upperBound); count the points where four squares "
          + "meet, not the squares")
    }
    for side in [squareSizeMetres, squareHeightMetres]
    where !Self.squareSizesMetres.contains(side) {
      throw BoardError(
        code: .squareSize,
        message: "board \(self): squares of \(side * 1000) mm, but a square's side is "
          + "0.1 mm to 10 m; give it with its unit, for example 25mm")
    }
  }

  /// Creates a board that can be looked for.
  ///
  /// - Throws: `BoardError` that names the number and what is allowed.
  public init(
    validColumns columns: Int, rows: Int, squareSizeMetres: Double
  ) throws(BoardError) {
    self.init(columns: columns, rows: rows, squareSizeMetres: squareSizeMetres)
    try validate()
  }
}
