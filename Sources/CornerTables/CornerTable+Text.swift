internal import CalibrationStore

extension CornerTable {
  /// Reads a text table: `filename x y`, perhaps with a fourth column, a row a point.
  ///
  /// What the columns are, and in which order, says the first comment that names `filename`, `x` and
  /// `y` (the legend of a vnlog); without one they are filename, x, y and the level. Other comments are
  /// passed over. Columns stand between blanks or, as the first row shows, between commas; then the first row
  /// may name them.
  init(text bytes: [UInt8]) throws(CornerTableError) {
    var reader = TableReader()
    var (line, start) = (1, 0)
    for end in bytes.indices where bytes[end] == UInt8(ascii: "\n") {
      try reader.take(bytes[start..<end], line: line)
      (line, start) = (line + 1, end + 1)
    }
    try reader.take(bytes[start...], line: line)
    self = try reader.table()
  }
}

/// A text table, line by line.
private struct TableReader {
  /// The columns' names; nil before a legend or a row was met.
  private var columns: [Substring]?
  /// Whether columns stand between commas; nil before a legend or a row was met.
  private var hasCommas: Bool?
  private var places = Places(filename: 0, x: 1, y: 2, extra: 3)
  private var confidence: CornerTable.Confidence?
  private var hasLegend = false
  /// Whether a fourth column was met whose meaning no legend tells.
  private var isAssumed = false
  private var views: [CornerTable.View] = []

  private struct Places {
    var filename: Int
    var x: Int
    var y: Int
    var extra: Int?

    var fewest: Int { max(filename, x, y) + 1 }
  }

  mutating func take(_ bytes: ArraySlice<UInt8>, line: Int) throws(CornerTableError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CornerTableError(.malformed, line: line, "is no text in UTF-8")
    }
    let words = text.split { $0.isWhitespace }
    guard let first = words.first else { return }
    if line == 1, first.hasPrefix("\u{FEFF}") {
      return try take(bytes.dropFirst(3), line: line)
    }
    guard first.hasPrefix("#") else {
      let fields = Self.fields(text[...])
      if hasCommas == nil {
        // A name may hold commas, a number none.
        hasCommas =
          fields.count > 2 && (words.count < 3 || Double(words[1]) == nil && words[1] != "-")
      }
      guard hasCommas == true else { return try row(words, line: line) }
      if columns == nil, Self.namesColumns(fields) { return try legend(fields, line: line) }
      return try row(fields, line: line)
    }
    guard !first.hasPrefix("##") else { return }
    let names = ([first.dropFirst()] + words.dropFirst()).filter { !$0.isEmpty }
    let fields = Self.fields(text.drop { $0.isWhitespace || $0 == "#" })
    if hasCommas != false, Self.namesColumns(fields) {
      hasCommas = true
      return try legend(fields, line: line)
    }
    if columns == nil, Self.namesColumns(names) { hasCommas = false }
    try legend(names, line: line)
  }

  /// What stands between commas, without blanks and quotation marks around it.
  private static func fields(_ text: Substring) -> [Substring] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { field in
      var field = field.drop(while: \.isWhitespace)
      while field.last?.isWhitespace == true { field.removeLast() }
      guard field.count > 1, field.first == "\"", field.last == "\"" else { return field }
      return field.dropFirst().dropLast()
    }
  }

  private static func namesColumns(_ names: [Substring]) -> Bool {
    ["filename", "x", "y"].allSatisfy { names.contains($0) }
  }

  private mutating func legend(_ names: [Substring], line: Int) throws(CornerTableError) {
    let needed = ["filename", "x", "y"]
    if names.contains("filename"), names.contains("x") || names.contains("y"),
      let twin = needed.first(where: { name in names.count { $0 == name } > 1 }),
      Self.namesColumns(names) || names.count <= 4
    {
      throw CornerTableError(
        .malformed, line: line,
        "the columns \(list(names)) have '\(twin)' twice; name each column once, like "
          + "'filename x y'")
    }
    guard let filename = names.firstIndex(of: "filename"), let x = names.firstIndex(of: "x"),
      let y = names.firstIndex(of: "y")
    else { return }
    if let columns {
      // Tables that were joined have theirs again.
      guard columns != names else { return }
      throw CornerTableError(
        .malformed, line: line,
        "the columns are \(list(names)) from here on, and \(list(columns)) before: give tables of "
          + "different columns as files of their own")
    }
    let others = names.indices.filter { ![filename, x, y].contains($0) }
    let known = others.filter { CornerTable.Confidence(rawValue: String(names[$0])) != nil }
    guard known.count <= 1 else {
      throw CornerTableError(
        .malformed, line: line,
        "\(list(known.map { names[$0] })) say the same of a point; keep one of these columns")
    }
    columns = names
    hasLegend = true
    places = Places(filename: filename, x: x, y: y, extra: known.first)
    confidence = known.first.flatMap { CornerTable.Confidence(rawValue: String(names[$0])) }
  }

  private func list(_ names: [Substring]) -> String {
    "'" + names.map { String($0).clipped }.joined(separator: " ") + "'"
  }

  private mutating func row(_ words: [Substring], line: Int) throws(CornerTableError) {
    if columns == nil { columns = ["filename", "x", "y", "level"] }
    let most = columns?.count ?? 4
    // A row may end before the last column: mrcal's reader takes such points as fully known.
    guard words.count >= places.fewest, words.count <= most else {
      throw CornerTableError(
        .malformed, line: line,
        "found \(words.count) column\(words.count == 1 ? "" : "s"), expected "
          + (hasLegend ? "\(list(columns ?? []))" : "a file name, x, y and perhaps a level")
          + (hasCommas == true
            ? " with commas between"
            : " with blanks or commas between; a file name with spaces can't stand between blanks, but "
              + "between commas and in JSON"))
    }
    let name = String(words[places.filename])
    if views.last?.source != name {
      views.append(CornerTable.View(source: name, pixels: [], line: line))
    }
    // Between commas a column may be empty.
    let extra = places.extra.flatMap { $0 < words.count && !words[$0].isEmpty ? words[$0] : nil }
    if extra != nil, !hasLegend { isAssumed = true }
    let (x, y) = (words[places.x], words[places.y])
    let last = views.count - 1
    guard x != "-", y != "-", !x.isEmpty || !y.isEmpty else {
      views[last].pixels.append(.unseen)
      views[last].isUsed.append(false)
      views[last].deviations.append(1)
      return
    }
    let deviation = try extra.map { text throws(CornerTableError) in
      try self.deviation(text, line: line)
    }
    views[last].pixels.append(
      SIMD2(try number(x, "x", line: line), try number(y, "y", line: line)))
    views[last].isUsed.append(deviation.map { $0 != nil } ?? true)
    views[last].deviations.append(deviation.flatMap(\.self) ?? 1)
  }

  private func number(
    _ text: Substring, _ name: String, line: Int
  ) throws(CornerTableError) -> Double {
    guard let value = Double(text), value.isFinite else {
      throw CornerTableError(
        .malformed, line: line,
        "\(name) is '\(String(text).clipped)', expected a finite number, or '-' for no point")
    }
    return value
  }

  /// The deviation that the fourth column stands for; nil where the point is to be passed over.
  private func deviation(_ text: Substring, line: Int) throws(CornerTableError) -> Double? {
    if text == "-" { return nil }
    let kind = confidence ?? .level
    let value = try number(text, kind.rawValue, line: line)
    switch kind {
    case .level:
      if value < 0 { return nil }
      guard let level = Int(exactly: value), level <= 20 else {
        throw CornerTableError(
          .malformed, line: line,
          "the fourth column is \(String(text).clipped), but "
            + (hasLegend ? "a level" : "without a comment that names the columns it is a level, it")
            + " is a whole number from 0 to 20; name the columns in a comment, for example "
            + "'# filename x y sigma'")
      }
      return Double(sign: .plus, exponent: level, significand: 1)
    case .sigma:
      guard value > 0 else {
        throw CornerTableError(
          .malformed, line: line, "sigma is \(String(text).clipped), expected a number above 0")
      }
      return value
    case .weight:
      // mrcal passes over points without weight.
      guard value > 0 else { return nil }
      let deviation = 1 / value
      guard deviation.isFinite else {
        throw CornerTableError(
          .malformed, line: line, "the weight \(String(text).clipped) is too small for a number")
      }
      return deviation
    }
  }

  /// The table once all lines were taken.
  func table() throws(CornerTableError) -> CornerTable {
    guard !views.isEmpty else {
      throw CornerTableError(
        .malformed, "has no rows; a table of corners has a row 'filename x y' a point")
    }
    let kind = confidence ?? (isAssumed ? .level : nil)
    return CornerTable(views: views, confidence: kind, notices: kind.map { [notice($0)] } ?? [])
  }

  private func notice(_ kind: CornerTable.Confidence) -> String {
    let source = isAssumed ? "no comment names the fourth column: taken for the" : "column"
    let meaning =
      switch kind {
      case .level: "decimation level, a residual's weight is 1/2^level"
      case .sigma: "deviation of the point, a residual's weight is 1/sigma"
      case .weight: "weight that a residual is multiplied by"
      }
    return isAssumed ? "\(source) \(meaning)" : "\(source) '\(kind.rawValue)': \(meaning)"
  }
}
