import CameraModel

extension IntrinsicsRecord {
  /// Reads a record from the bytes of a JSON text.
  ///
  /// Keys that this version does not know are skipped. `null` in a place for a number that cannot
  /// be absent (`reprojectionError.rms`, an element of a covariance) is read as NaN.
  ///
  /// - Parameter source: The file's name, for messages.
  /// - Throws: `StoreError` with the code `corrupt`, `unsupportedSchema`, `unsupportedLensModel` or
  ///   `invalidRecord`; the message names the line or the key.
  public init(jsonBytes bytes: [UInt8], source: String = "record") throws(StoreError) {
    try self.init(
      jsonValue: JSONValue(storedBytes: bytes, source: source), source: source)
  }

  /// Reads a record from a JSON tree.
  package init(jsonValue: JSONValue, source: String) throws(StoreError) {
    let root = JSONField(jsonValue)
    try root.checkSchema(Self.schemaVersion, source: source)
    let model = try reading(source) { () throws(JSONError) in
      try root.member("lensModel").string()
    }
    guard let lensModel = LensModel(rawValue: model) else {
      throw StoreError(
        code: .unsupportedLensModel, subject: source,
        message: "lensModel \"\(model.clipped)\" is unknown to this version, which reads "
          + LensModel.allCases.map(\.rawValue).joined(separator: ", ")
          + "; a newer version may know it")
    }
    self = try reading(source) { () throws(JSONError) in
      try IntrinsicsRecord(root, lensModel: lensModel)
    }
    try validate(source: source)
  }

  private init(_ root: JSONField, lensModel: LensModel) throws(JSONError) {
    let origin = try root.member("pixelOrigin")
    guard try origin.string() == PixelOrigin.center.rawValue else {
      throw origin.failure(
        "found \(origin.value.compactJSONText.clipped), expected \"center\", the only origin in "
          + "which records are stored")
    }
    try self.init(
      device: DeviceIdentity(root.member("device")),
      camera: CameraParameters(root, lensModel: lensModel),
      verdict: Verdict(root.member("verdict")),
      created: root.member("created").string(),
      tool: root.member("tool").string())
    pixelFormat = try root.optionalMember("pixelFormat")?.string()
    for (name, field) in try root.optionalMember("standardDeviations")?.members() ?? [] {
      standardDeviations[name] = try field.numberOrNaN()
    }
    covariance = try root.optionalMember("covariance").map(ParameterCovariance.init)
    reprojectionError = try root.optionalMember("reprojectionError").map(ReprojectionError.init)
    for (name, field) in try root.optionalMember("held")?.members() ?? [] {
      held[name] = try field.string()
    }
    projectionUncertainty = try root.optionalMember("projectionUncertainty")
      .map(ProjectionUncertainty.init)
    board = try root.optionalMember("board").map(BoardDescription.init)
    for field in try root.optionalMember("views")?.elements() ?? [] {
      views.append(try CalibrationView(field))
    }
    coverage = try root.optionalMember("coverage").map(Coverage.init)
    lensControls = try root.optionalMember("lensControls").map { field throws(JSONError) in
      var controls: [String: LensControl] = [:]
      for (name, control) in try field.members() {
        controls[name] = try LensControl(
          value: control.member("value").integer(in: .min ... .max),
          locked: control.member("locked").boolean())
      }
      return controls
    }
    lensComparison = try root.optionalMember("lensComparison").map { field throws(JSONError) in
      var candidates: [LensCandidate] = []
      for element in try field.elements() { candidates.append(try LensCandidate(element)) }
      return candidates
    }
    residualPatterns = try root.optionalMember("residualPatterns").map(ResidualPatterns.init)
    scaledFrom = try root.optionalMember("scaledFrom").map(Resolution.init)
  }
}

/// Runs `body`, whose errors name a key, and adds the file's name.
func reading<Value>(
  _ source: String, _ body: () throws(JSONError) -> Value
) throws(StoreError) -> Value {
  do {
    return try body()
  } catch {
    throw StoreError(
      code: .invalidRecord, subject: source, message: "\(error) (the file was not used)")
  }
}

extension JSONValue {
  /// Parses the bytes of a file in the store.
  init(storedBytes bytes: [UInt8], source: String) throws(StoreError) {
    func corrupt(_ message: String) -> StoreError {
      StoreError(code: .corrupt, subject: source, message: message)
    }
    guard !bytes.isEmpty else { throw corrupt("the file is empty, a JSON record was expected") }
    guard !bytes.prefix(1024).contains(0) else {
      throw corrupt("the file is binary, a JSON record was expected")
    }
    do {
      try self.init(parsing: bytes)
    } catch {
      throw corrupt(
        "\(error) (\(error.isTruncation ? "the file is truncated" : "the file is damaged"))")
    }
  }
}

extension JSONField {
  /// Makes sure that the root says it has the format of this version.
  func checkSchema(_ version: Int, source: String) throws(StoreError) {
    let schema = try reading(source) { () throws(JSONError) in
      try member("schema").integer(in: 1 ... .max)
    }
    guard schema <= version else {
      throw StoreError(
        code: .unsupportedSchema, subject: source,
        message: "the file has schema \(schema), this version reads schema \(version): "
          + "it was written by a newer version, which is needed to read it")
    }
  }

  /// The size of a grid and the number of its cells; bounded so that a product cannot overflow.
  func gridSize() throws(JSONError) -> (columns: Int, rows: Int) {
    try (
      member("columns").integer(in: 1...4096), member("rows").integer(in: 1...4096)
    )
  }

  /// An array of texts.
  func strings() throws(JSONError) -> [String] {
    var strings: [String] = []
    for element in try elements() { strings.append(try element.string()) }
    return strings
  }

  /// Three numbers.
  func vector3() throws(JSONError) -> SIMD3<Double> {
    let v = try numbers(count: 3)
    return SIMD3(v[0], v[1], v[2])
  }
}

extension Resolution {
  init(_ field: JSONField) throws(JSONError) {
    // 65535: the largest size that JPEG and V4L2's drivers know.
    try self.init(
      width: field.member("width").integer(in: 1...65535),
      height: field.member("height").integer(in: 1...65535))
  }
}

extension CameraParameters {
  fileprivate init(_ root: JSONField, lensModel: LensModel) throws(JSONError) {
    let intrinsics = try root.member("intrinsics")
    let distortion = try root.member("distortion")
    for (name, field) in try distortion.members()
    where !lensModel.coefficientNames.contains(name) {
      throw field.failure("the lens model \(lensModel.rawValue) has no such coefficient")
    }
    var coefficients: [Double] = []
    for name in lensModel.coefficientNames {
      coefficients.append(try distortion.member(name).number())
    }
    try self.init(
      resolution: Resolution(root.member("resolution")),
      lensModel: lensModel,
      intrinsics: Intrinsics(
        fx: intrinsics.member("fx").number(), fy: intrinsics.member("fy").number(),
        cx: intrinsics.member("cx").number(), cy: intrinsics.member("cy").number()),
      distortion: coefficients)
  }
}
