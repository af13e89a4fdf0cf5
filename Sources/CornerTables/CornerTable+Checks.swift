internal import Boards
internal import CalibrationStore
internal import CameraModel

extension CornerTable {
  /// The table with its points in the board's order, once it makes sense as a whole.
  ///
  /// - Throws: Where images stand twice, have another number of points than the board, or points that
  ///   no such image holds, where the order is no board's, and where the images' size is not known.
  func checked(for board: ChessboardGeometry) throws(CornerTableError) -> CornerTable {
    guard let resolution else {
      throw CornerTableError(
        .missingSize, "a table does not say how large the images are: give --size WIDTHxHEIGHT")
    }
    try refuseTwins()
    try refuseOtherCounts(board)
    try refuseOverlyKnown()
    var table = self
    try table.bringIntoOrder(board.canonical, resolution)
    return table
  }

  func refuseTwins() throws(CornerTableError) {
    var lines: [String: Int?] = [:]
    for view in views {
      guard let before = lines.updateValue(view.line, forKey: view.source) else { continue }
      throw CornerTableError(
        .malformed, line: view.line,
        "\(view.source) stands twice" + (before.map { ", first in line \($0)" } ?? "")
          + "; the rows of an image follow one another, and each image has a name of its own")
    }
  }

  /// A point that is said to be known so much better than its neighbours leaves them no say of where the
  /// board is.
  private func refuseOverlyKnown() throws(CornerTableError) {
    for view in views {
      let known = zip(view.deviations, view.isUsed).filter(\.1).map(\.0).sorted()
      guard let best = known.first, known[known.count / 2] > Self.largestAdvantage * best,
        let point = view.deviations.indices.first(where: {
          view.isUsed[$0] && view.deviations[$0] == best
        })
      else { continue }
      let what =
        switch confidence {
        case .weight: "weight \(CornerTableError.text(1 / best))"
        case .sigma: "sigma \(CornerTableError.text(best))"
        default: "deviation \(CornerTableError.text(best))"
        }
      throw CornerTableError(
        .malformed, line: view.line.map { $0 + point },
        "point \(point + 1) of \(view.source) has \(what), more than "
          + "\(Int(Self.largestAdvantage)) times better than half of its points: correct or remove it"
      )
    }
  }

  private func refuseOtherCounts(_ board: ChessboardGeometry) throws(CornerTableError) {
    let count = board.cornerCount
    let seen = views.filter { !$0.isEmpty }
    guard let wrong = seen.first(where: { $0.pixels.count != count }) else { return }
    var advice = "points that were not seen have a row '\(wrong.source.clipped) - -'"
    if seen.allSatisfy({ $0.pixels.count == wrong.pixels.count }) {
      let sides = Self.sides(of: wrong.pixels.count)
      advice =
        "all images have so many"
        + (sides.isEmpty ? "; check --board" : ": try --board " + sides.joined(separator: " or "))
    }
    throw CornerTableError(
      .malformed, line: wrong.line,
      "\(wrong.source) has \(wrong.pixels.count) point\(wrong.pixels.count == 1 ? "" : "s"), but a "
        + "\(board) board has \(count); \(advice)")
  }

  /// Boards with so many corners that somebody would make: at most twice as long as wide.
  private static func sides(of count: Int) -> [String] {
    boards(of: count).filter { $0.columns <= 2 * $0.rows }.map { "\($0.columns)x\($0.rows)" }
  }

  /// All boards with so many corners, the most square first.
  private static func boards(of count: Int) -> [(columns: Int, rows: Int)] {
    guard count <= 10_000 else { return [] }
    return (2...100).filter { count % $0 == 0 && count / $0 >= $0 }.reversed().map {
      (count / $0, $0)
    }
  }

  /// What to do about points that are in no order of a board: of another one with as many they may be.
  private static func advice(views: [[SIMD2<Double>]], _ board: ChessboardGeometry) -> String {
    let other = boards(of: board.cornerCount).first { other in
      (other.columns, other.rows) != (board.columns, board.rows)
        && 2 * views.count { PointOrder($0, columns: other.columns, rows: other.rows) != nil }
          > views.count
    }
    if let other {
      return "they are in that of a \(other.columns)x\(other.rows) board, which has as many: try "
        + "--board \(other.columns)x\(other.rows)"
    }
    return "they are expected row by row, each row from the same side; check --board"
  }
}

/// A point of a table.
private struct Place {
  var view: Int
  var point: Int
}

extension CornerTable {
  /// Puts each view's points into the board's order; those in no order of a board are not used.
  private mutating func bringIntoOrder(
    _ board: ChessboardGeometry, _ resolution: Resolution
  ) throws(CornerTableError) {
    let fewest = Self.fewestPoints(board)
    for index in views.indices where !views[index].isEmpty {
      let count = views[index].pixels.count(where: \.isSeen)
      if count < fewest {
        views[index].setAside(
          "only \(count) of its points were seen, and at least \(fewest) are needed")
      }
    }
    let isJudged = views.map { !$0.isOrdered && $0.pixels.count(where: \.isSeen) >= fewest }
    let orders = zip(views, isJudged).map { view, isJudged in
      isJudged ? PointOrder(view.pixels, columns: board.columns, rows: board.rows) : nil
    }
    let known = orders.compactMap(\.self)
    let seen = isJudged.count { $0 }
    guard 2 * known.count >= seen else {
      throw CornerTableError(
        .malformed,
        "in \(seen - known.count) of \(seen) images the points are in no order of a \(board) board: "
          + Self.advice(views: zip(views, isJudged).filter(\.1).map(\.0.pixels), board))
    }
    let mirrored = known.count(where: \.isMirrored)
    let areExchanged = try exchangeAxesIfNeeded(resolution, mirrored: 2 * mirrored > known.count)
    if !areExchanged, 2 * mirrored > known.count {
      try refuseUncertainAxes(known.filter { $0.isMirrored && $0.run == .rows }, of: known.count)
    }
    for (index, order) in orders.enumerated() where isJudged[index] {
      guard var order else {
        views[index].setAside("its points are in no order of a \(board) board")
        continue
      }
      if areExchanged { order.isMirrored.toggle() }
      views[index].take(order.places(columns: board.columns, rows: board.rows))
    }
    let columnwise = known.count { $0.run == .columns && $0.isMirrored != areExchanged }
    let reversed = known.count { $0.run == .rows && $0.isMirrored != areExchanged }
    if columnwise > 0 {
      notices.append(
        "the points of \(columnwise) of \(seen) images stand column by column: put into rows")
    }
    if reversed > 0 {
      notices.append(
        "the points of \(reversed) of \(seen) images stand in mirrored order, as if the board were "
          + "seen from behind: the order of the rows was reversed")
    }
  }

  /// Where points lie outside, and all of them inside once x and y are exchanged, and the order is
  /// mirrored too, they were exchanged.
  ///
  /// - Returns: Whether that was so, and is mended.
  private mutating func exchangeAxesIfNeeded(
    _ size: Resolution, mirrored: Bool
  ) throws(CornerTableError) -> Bool {
    let outside = placesOutside(width: size.width, height: size.height)
    guard let first = outside.first else { return false }
    let fitsTurned = placesOutside(width: size.height, height: size.width).isEmpty
    if fitsTurned, mirrored, !views.contains(where: \.isOrdered) {
      for index in views.indices {
        views[index].pixels = views[index].pixels.map { SIMD2($0.y, $0.x) }
      }
      notices.append("x and y are exchanged in this table: y was read first")
      return true
    }
    let view = views[first.view]
    let pixel = view.pixels[first.point]
    let all = views.flatMap(\.pixels).filter(\.isSeen)
    let reach = all.reduce(SIMD2(0, 0)) { SIMD2(max($0.x, $1.x), max($0.y, $1.y)) }
    throw CornerTableError(
      .malformed, line: view.line.map { $0 + first.point },
      "point \(first.point + 1) of \(view.source) lies at \(fixed(pixel.x, 1)), \(fixed(pixel.y, 1)), "
        + "outside of \(size) images, as \(outside.count) of \(all.count) points do (the farthest "
        + "reach \(fixed(reach.x, 1)), \(fixed(reach.y, 1))): "
        + (fitsTurned ? "try --size \(size.height)x\(size.width)" : "check --size"))
  }

  private func placesOutside(width: Int, height: Int) -> [Place] {
    let (x, y) = (-0.5...Double(width) - 0.5, -0.5...Double(height) - 0.5)
    return views.indices.flatMap { view in
      views[view].pixels.enumerated().compactMap { point, pixel in
        !pixel.isSeen || (x.contains(pixel.x) && y.contains(pixel.y))
          ? nil : Place(view: view, point: point)
      }
    }
  }

  /// A mirrored order and exchanged axes look alike, and the wrong cure would exchange fx and fy.
  ///
  /// Most boards lie wider than high in the image, which tells them apart.
  private func refuseUncertainAxes(
    _ mirrored: [PointOrder], of count: Int
  ) throws(CornerTableError) {
    guard 5 * mirrored.count(where: \.isUpright) > 4 * mirrored.count else { return }
    throw CornerTableError(
      .malformed,
      "in \(mirrored.count) of \(count) images the points stand as if the board were seen from behind: "
        + "either x and y are exchanged (begin the table with '# filename y x'), or the rows are in "
        + "reverse order (sort them)")
  }
}

extension CornerTable {
  /// A corner is known to 0.02 px at best, and one beyond 20 px is none.
  fileprivate static let largestAdvantage = 1000.0

  /// An image with fewer points says next to nothing of the camera: two rows of the shorter side.
  fileprivate static func fewestPoints(_ board: ChessboardGeometry) -> Int {
    2 * min(board.columns, board.rows)
  }
}

extension CornerTable.View {
  /// Keeps the points from use.
  fileprivate mutating func setAside(_ why: String) {
    reason = reason ?? why
    isUsed = isUsed.map { _ in false }
  }

  /// Brings the points into another order.
  fileprivate mutating func take(_ places: [Int]) {
    pixels = places.map { pixels[$0] }
    isUsed = places.map { isUsed[$0] }
    deviations = places.map { deviations[$0] }
  }
}
