package import Boards
internal import CalibrationStore
internal import CameraModel

extension CornerTable {
  /// Reads JSON: what `jsonText` writes, or the points file beside a record.
  init(json bytes: [UInt8], board: ChessboardGeometry) throws(CornerTableError) {
    do throws(JSONError) {
      let root = JSONField(try JSONValue(parsing: bytes))
      var views: [View] = []
      for field in try root.member("views").elements() {
        views.append(
          try field.optionalMember("board") == nil
            ? View(dumped: field) : View(stored: field, board: board))
      }
      if let corners = try root.optionalMember("corners"),
        try corners.member("columns").integer(in: 1...10_000) == board.columns,
        try corners.member("rows").integer(in: 1...10_000) == board.rows
      {
        for index in views.indices { views[index].isOrdered = true }
      }
      guard !views.isEmpty else { throw try root.member("views").failure("there are no views") }
      let size = try root.optionalMember("resolution")
      self.init(
        views: views,
        resolution: try size.map { size throws(JSONError) in
          Resolution(
            width: try size.member("width").integer(in: 1...65535),
            height: try size.member("height").integer(in: 1...65535))
        },
        confidence: views.contains { $0.deviations.contains { $0 != 1 } } ? .sigma : nil)
    } catch {
      throw CornerTableError(.malformed, "\(error)")
    }
  }

  /// The table as JSON, each number to the last bit.
  package func jsonText(board: ChessboardGeometry) -> String {
    var members: [JSONValue.Member] = [.init("schema", .integer(1))]
    if let resolution {
      members.append(
        .init(
          "resolution",
          .object([
            .init("width", .integer(resolution.width)),
            .init("height", .integer(resolution.height)),
          ])))
    }
    members.append(
      .init(
        "corners",
        .object([
          .init("columns", .integer(board.columns)), .init("rows", .integer(board.rows)),
        ])))
    members.append(.init("views", .array(views.map(\.jsonValue))))
    return JSONValue.object(members).jsonText()
  }
}

extension CornerTable.View {
  fileprivate var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [.init("source", .string(source))]
    if let reason { members.append(.init("reason", .string(reason))) }
    // x y x y …, null null for a point that was not seen.
    members.append(
      .init(
        "pixels",
        .array(pixels.flatMap { [JSONValue.optional($0.x), JSONValue.optional($0.y)] })))
    if zip(pixels, isUsed).contains(where: { $0.isSeen && !$1 }) {
      members.append(.init("used", .array(isUsed.map { .boolean($0) })))
    }
    if deviations.contains(where: { $0 != 1 }) {
      members.append(.init("deviations", .numbers(deviations)))
    }
    return .object(members)
  }

  /// One view of `jsonText`.
  fileprivate init(dumped field: JSONField) throws(JSONError) {
    let numbers = try field.member("pixels").optionalNumbers()
    guard numbers.count.isMultiple(of: 2) else {
      throw try field.member("pixels").failure(
        "found \(numbers.count) numbers, expected two a point: x and y")
    }
    let pixels = (0..<numbers.count / 2).map { index -> SIMD2<Double> in
      guard let x = numbers[2 * index], let y = numbers[2 * index + 1] else { return .unseen }
      return SIMD2(x, y)
    }
    self.init(
      source: try field.member("source").string(), pixels: pixels,
      reason: try field.optionalMember("reason")?.string())
    if let used = try field.optionalMember("used")?.flags(ofPoints: pixels.count) {
      isUsed = zip(used, pixels).map { $0 && $1.isSeen }
    }
    if let known = try field.optionalMember("deviations")?.deviations(ofPoints: pixels.count) {
      deviations = known
    }
  }

  /// One view of a points file: points on the board, and where each was seen.
  ///
  /// What takes part is what was offered to the estimate, not what was left of it: so it is judged once more,
  /// with the same outcome.
  fileprivate init(stored field: JSONField, board: ChessboardGeometry) throws(JSONError) {
    let stored = try CalibrationPoints.View(field)
    self.init(source: stored.source, pixels: Array(repeating: .unseen, count: board.cornerCount))
    let x = try Self.spacing(stored.board.map(\.x), count: board.columns, field, "columns")
    let y = try Self.spacing(stored.board.map(\.y), count: board.rows, field, "rows")
    for (index, isOffered) in (stored.offered ?? stored.used).enumerated() {
      let column = Int((stored.board[index].x / x).rounded())
      let row = Int((stored.board[index].y / y).rounded())
      let place = row * board.columns + column
      guard !pixels[place].isSeen else {
        throw try field.member("board").failure("two points lie in row \(row), column \(column)")
      }
      pixels[place] = stored.pixels[index]
      isUsed[place] = isOffered
      if let known = stored.deviations { deviations[place] = known[index] }
    }
    // Its points name their places on the board.
    isOrdered = true
  }

  /// The distance of the board's points along one side, so that all lie in 0 ..< count steps of it.
  private static func spacing(
    _ values: [Double], count: Int, _ field: JSONField, _ name: String
  ) throws(JSONError) -> Double {
    let known = Set(values).sorted()
    // Without two different values any spacing does; points in one line are refused later.
    let steps = zip(known, known.dropFirst()).map { $1 - $0 }
    let step = max(steps.min() ?? 1, 1e-9)
    guard let most = known.last, let least = known.first else { return 1 }
    let isGrid = known.allSatisfy { abs($0 / step - ($0 / step).rounded()) < 0.01 }
    guard least > -step / 2, most < (Double(count) - 0.5) * step, isGrid else {
      throw try field.member("board").failure(
        "the points do not lie on a board of \(count) \(name); check --board")
    }
    return step
  }
}
