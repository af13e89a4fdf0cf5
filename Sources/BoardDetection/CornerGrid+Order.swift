internal import Imaging

extension CornerGrid {
  /// The same corners counted in the board's own way, as `columns` x `rows`; nil if the sizes differ.
  ///
  /// OpenCV's two finders start at opposite ends of a board, and follow the image where the board
  /// leaves a choice. Here there is one rule, whoever found the corners:
  /// 1. Rows run so that the board is seen from its printed side (x, y, and z away from the viewer
  ///    are right-handed): never mirrored.
  /// 2. Where the colours of the squares tell the ends apart, the square at the top left of the board
  ///    is dark.
  /// 3. What is still open (boards that look the same when turned) is decided by the image: the
  ///    board's x and y axes point right and down as well as they can.
  ///
  /// So `9x6` and `6x9` mean the same board, each with its own count.
  func inBoardOrder(columns: Int, rows: Int, image: GrayImage) -> CornerGrid? {
    var candidates: [CornerGrid] = []
    var turned = isMirrored ? mirrored : self
    for _ in 0..<4 {
      if turned.columns == columns, turned.rows == rows { candidates.append(turned) }
      turned = turned.quarterTurn
    }
    // A quarter turn of an even number of squares, or a half turn of an odd sum, swaps the colours.
    let dark = candidates.filter { $0.firstSquareIsDark(in: image) }
    if !dark.isEmpty { candidates = dark }
    return candidates.max { $0.uprightness < $1.uprightness }
  }

  /// Whether the corners are counted as seen from behind the board.
  var isMirrored: Bool {
    let (x, y) = meanDirections
    return cross(x, y) < 0
  }

  /// Each row counted from its other end.
  var mirrored: CornerGrid {
    var result = self
    for row in 0..<rows {
      for column in 0..<columns { result[column, row] = self[columns - 1 - column, row] }
    }
    return result
  }

  /// Counted from the next corner of the board: columns become rows.
  var quarterTurn: CornerGrid {
    var result = CornerGrid(columns: rows, rows: columns, points: points)
    for row in 0..<columns {
      for column in 0..<rows { result[column, row] = self[row, rows - 1 - column] }
    }
    return result
  }

  private var meanDirections: (x: SIMD2<Double>, y: SIMD2<Double>) {
    var (x, y) = (SIMD2<Double>(), SIMD2<Double>())
    for row in 0..<rows { x += self[columns - 1, row] - self[0, row] }
    for column in 0..<columns { y += self[column, rows - 1] - self[column, 0] }
    return (x, y)
  }

  /// How well the axes point right and down: 2 when upright, −2 when upside down.
  private var uprightness: Double {
    let (x, y) = meanDirections
    return x.x / max(length(x), 1e-12) + y.y / max(length(y), 1e-12)
  }

  /// Whether the square between the first two corners of the first two rows, which has the colour of
  /// the board's top-left square, is dark: a vote of all neighbouring cells.
  func firstSquareIsDark(in image: GrayImage) -> Bool {
    let levels = cellLevels(in: image)
    var sum = 0.0
    for row in 0..<rows - 1 {
      for column in 0..<columns - 1 {
        let sign = (row + column).isMultiple(of: 2) ? 1.0 : -1.0
        let level = levels[row * (columns - 1) + column]
        if column + 1 < columns - 1 {
          sum += sign * (levels[row * (columns - 1) + column + 1] - level)
        }
        if row + 1 < rows - 1 { sum += sign * (levels[(row + 1) * (columns - 1) + column] - level) }
      }
    }
    return sum > 0
  }

  /// The mean grey value in the middle of each of the (columns − 1)·(rows − 1) cells between corners.
  func cellLevels(in image: GrayImage) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity((columns - 1) * (rows - 1))
    for row in 0..<rows - 1 {
      for column in 0..<columns - 1 {
        let centre = cellCentre(column, row)
        let corners = [
          self[column, row], self[column + 1, row], self[column, row + 1],
          self[column + 1, row + 1],
        ]
        // The middle and four points halfway between it and the corners: inside the square even
        // where blur eats its edges.
        var sum = image.interpolated(at: centre)
        for corner in corners { sum += image.interpolated(at: centre + (corner - centre) * 0.4) }
        result.append(sum / 5)
      }
    }
    return result
  }
}

extension GrayImage {
  /// The grey value at a place between pixels, bilinear; outside, that of the nearest pixel.
  func interpolated(at point: SIMD2<Double>) -> Double {
    let x = min(max(point.x, 0), Double(width - 1))
    let y = min(max(point.y, 0), Double(height - 1))
    guard x.isFinite, y.isFinite else { return 0 }
    let (column, row) = (min(Int(x), max(width - 2, 0)), min(Int(y), max(height - 2, 0)))
    let (fx, fy) = (x - Double(column), y - Double(row))
    let (right, down) = (width > 1 ? 1 : 0, height > 1 ? width : 0)
    return pixels.withUnsafeBufferPointer { p in
      let at = row * width + column
      let top = Double(p[at]) * (1 - fx) + Double(p[at + right]) * fx
      let bottom = Double(p[at + down]) * (1 - fx) + Double(p[at + down + right]) * fx
      return top * (1 - fy) + bottom * fy
    }
  }
}
