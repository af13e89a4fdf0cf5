import CameraModel

extension IntrinsicsRecord.DeviceIdentity {
  init(_ field: JSONField) throws(JSONError) {
    try self.init(
      id: DeviceID(rawValue: field.member("id").string()),
      name: field.member("name").string(),
      identifiedBy: field.member("identifiedBy").string())
  }
}

extension IntrinsicsRecord.ParameterCovariance {
  init(_ field: JSONField) throws(JSONError) {
    let parameters = try field.member("parameters").strings()
    try self.init(
      parameters: parameters,
      noise: Self.rows(field.member("noise"), count: parameters.count),
      viewToView: field.optionalMember("viewToView").map { rows throws(JSONError) in
        try Self.rows(rows, count: parameters.count)
      })
  }

  private static func rows(_ field: JSONField, count: Int) throws(JSONError) -> [[Double]] {
    let elements = try field.elements()
    guard elements.count == count else {
      throw field.failure(
        "found \(elements.count) rows, expected one for each of \(count) parameters")
    }
    var rows: [[Double]] = []
    for element in elements {
      let row = try element.optionalNumbers()
      guard row.count == count else {
        throw element.failure(
          "found \(row.count) numbers, expected one for each of \(count) parameters")
      }
      rows.append(row.map { $0 ?? .nan })
    }
    return rows
  }
}

extension IntrinsicsRecord.ReprojectionError {
  init(_ field: JSONField) throws(JSONError) {
    try self.init(
      rms: field.member("rms").numberOrNaN(),
      sigma: field.member("sigma").numberOrNaN(),
      heldOutSigma: field.optionalMember("heldOutSigma")?.number())
  }
}

extension IntrinsicsRecord.ProjectionUncertainty {
  init(_ field: JSONField) throws(JSONError) {
    let (columns, rows) = try field.gridSize()
    let sigma = try field.member("sigma").optionalNumbers()
    guard sigma.count == columns * rows else {
      throw try field.member("sigma").failure(
        "found \(sigma.count) numbers, expected \(columns)·\(rows) = \(columns * rows)")
    }
    var share: [String: Double] = [:]
    for (level, value) in try field.member("share").members() {
      share[level] = try value.numberOrNaN()
    }
    try self.init(
      columns: columns, rows: rows, sigma: sigma,
      median: field.optionalMember("median")?.number(),
      p90: field.optionalMember("p90")?.number(),
      worst: field.optionalMember("worst")?.number(),
      share: share)
    atBoards = try field.optionalMember("atBoards").map(AtBoards.init)
  }
}

extension IntrinsicsRecord.ProjectionUncertainty.AtBoards {
  init(_ field: JSONField) throws(JSONError) {
    try self.init(
      distance: field.member("distance").number(),
      median: field.optionalMember("median")?.number(),
      p90: field.optionalMember("p90")?.number(),
      worst: field.optionalMember("worst")?.number())
  }
}

extension IntrinsicsRecord.BoardDescription {
  init(_ field: JSONField) throws(JSONError) {
    try self.init(
      kind: field.member("kind").string(),
      columns: field.member("columns").integer(in: 1...4096),
      rows: field.member("rows").integer(in: 1...4096),
      squareSize: field.optionalMember("squareSize")?.number(),
      squareHeight: field.optionalMember("squareHeight")?.number(),
      bend: field.optionalMember("bend").map(IntrinsicsRecord.BoardBend.init))
  }
}

extension IntrinsicsRecord.BoardBend {
  init(_ field: JSONField) throws(JSONError) {
    let deviations = try field.member("standardDeviations")
    try self.init(
      x: field.member("x").number(), y: field.member("y").number(),
      deviationX: deviations.member("x").number(), deviationY: deviations.member("y").number())
  }
}

extension Pose {
  init(_ field: JSONField) throws(JSONError) {
    try self.init(
      rotation: field.member("rotation").vector3(),
      translation: field.member("translation").vector3())
  }
}

extension IntrinsicsRecord.CalibrationView {
  init(_ field: JSONField) throws(JSONError) {
    try self.init(
      source: field.member("source").string(),
      used: field.member("used").boolean(),
      reason: field.optionalMember("reason")?.string(),
      rms: field.optionalMember("rms")?.number(),
      pose: field.optionalMember("pose").map(Pose.init))
  }
}

extension IntrinsicsRecord.Coverage {
  init(_ field: JSONField) throws(JSONError) {
    let (columns, rows) = try field.gridSize()
    let counts = try Self.counts(field.member("cornerCounts"))
    guard counts.count == columns * rows else {
      throw try field.member("cornerCounts").failure(
        "found \(counts.count) numbers, expected \(columns)·\(rows) = \(columns * rows)")
    }
    try self.init(
      columns: columns, rows: rows, cornerCounts: counts,
      tiltHistogram: Self.counts(field.member("tiltHistogram")))
  }

  private static func counts(_ field: JSONField) throws(JSONError) -> [Int] {
    var counts: [Int] = []
    for element in try field.elements() { counts.append(try element.integer(in: 0 ... .max)) }
    return counts
  }
}

extension IntrinsicsRecord.Verdict {
  init(_ field: JSONField) throws(JSONError) {
    let level = try field.member("level")
    let text = try level.string()
    guard let known = Level(rawValue: text) else {
      throw level.failure("found \"\(text.clipped)\", expected good, usable or poor")
    }
    try self.init(level: known, reasons: field.member("reasons").strings())
  }
}
