extension CalibrationPoints {
  init(_ root: JSONField) throws(JSONError) {
    views = []
    for field in try root.member("views").elements() { views.append(try View(field)) }
  }
}

extension CalibrationPoints.View {
  /// One of the `views` of a points file.
  package init(_ field: JSONField) throws(JSONError) {
    let flags = try field.member("used").booleans()
    let count = flags.count
    let b = try field.member("board").numbers(count: 3 * count)
    let p = try field.member("pixels").numbers(count: 2 * count)
    let r = try field.member("residuals").optionalNumbers()
    guard r.isEmpty || r.count == 2 * count else {
      throw try field.member("residuals").failure(
        "found \(r.count) numbers, expected none or \(2 * count)")
    }
    let board = (0..<count).map { SIMD3(b[3 * $0], b[3 * $0 + 1], b[3 * $0 + 2]) }
    let pixels = (0..<count).map { SIMD2(p[2 * $0], p[2 * $0 + 1]) }
    let residuals = (0..<r.count / 2).map { SIMD2(r[2 * $0] ?? .nan, r[2 * $0 + 1] ?? .nan) }
    self.init(
      source: try field.member("source").string(), board: board, pixels: pixels,
      residuals: residuals, used: flags,
      offered: try field.optionalMember("offered")?.flags(ofPoints: count),
      deviations: try field.optionalMember("deviations")?.deviations(ofPoints: count))
  }
}

extension JSONField {
  /// A truth value for each of so many points.
  package func flags(ofPoints count: Int) throws(JSONError) -> [Bool] {
    let flags = try booleans()
    guard flags.count == count else {
      throw failure("found \(flags.count) flags, expected one a point: \(count)")
    }
    return flags
  }

  /// A number above 0 for each of so many points.
  package func deviations(ofPoints count: Int) throws(JSONError) -> [Double] {
    let numbers = try numbers(count: count)
    guard numbers.allSatisfy({ $0 > 0 }) else { throw failure("deviations are numbers above 0") }
    return numbers
  }

  fileprivate func booleans() throws(JSONError) -> [Bool] {
    var flags: [Bool] = []
    for element in try elements() { flags.append(try element.boolean()) }
    return flags
  }
}
