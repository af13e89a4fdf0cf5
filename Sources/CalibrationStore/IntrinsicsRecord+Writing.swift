import CameraModel

extension IntrinsicsRecord {
  /// The version of the file format that is written, and the highest that is read.
  public static let schemaVersion = 1

  /// The record as JSON text (schema 1, `docs/record.schema.json`), UTF-8, with a newline at its
  /// end; keys always in the same order, doubles with the fewest digits that read back to the same
  /// bits.
  ///
  /// - Throws: `StoreError` with the code `invalidRecord` where the record would not read back.
  public func jsonText() throws(StoreError) -> String {
    try validate()
    return jsonValue.jsonText()
  }

  /// The record as a JSON tree in the order of the schema.
  package var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("schema", .integer(Self.schemaVersion)),
      .init("device", device.jsonValue),
      .init("resolution", camera.resolution.jsonValue),
      .init("pixelOrigin", .string(PixelOrigin.center.rawValue)),
      .init("lensModel", .string(camera.lensModel.rawValue)),
      .init("intrinsics", camera.intrinsics.jsonValue),
      .init("distortion", camera.distortionJSONValue),
      .init("standardDeviations", inParameterOrder(standardDeviations) { .optional($0) }),
      .init("covariance", covariance?.jsonValue ?? .null),
      .init("reprojectionError", reprojectionError?.jsonValue ?? .null),
      .init("held", inParameterOrder(held) { .string($0) }),
      .init("projectionUncertainty", projectionUncertainty?.jsonValue ?? .null),
      .init("board", board?.jsonValue ?? .null),
      .init("views", .array(views.map(\.jsonValue))),
      .init("coverage", coverage?.jsonValue ?? .null),
      .init("verdict", verdict.jsonValue),
      .init("lensControls", lensControlsJSONValue),
      .init("created", .string(created)),
      .init("tool", .string(tool)),
    ]
    // Keys that the schema does not list stand only where they say something.
    if let pixelFormat { members.append(.init("pixelFormat", .string(pixelFormat))) }
    if let lensComparison {
      members.append(.init("lensComparison", .array(lensComparison.map(\.jsonValue))))
    }
    if let residualPatterns {
      members.append(.init("residualPatterns", residualPatterns.jsonValue))
    }
    if let scaledFrom { members.append(.init("scaledFrom", scaledFrom.jsonValue)) }
    return .object(members)
  }

  /// An object whose keys are parameters: those of the lens model in its order, others after them.
  private func inParameterOrder<Value>(
    _ values: [String: Value], _ json: (Value) -> JSONValue
  ) -> JSONValue {
    let known = camera.lensModel.parameterNames.filter { values[$0] != nil }
    let others = values.keys.filter { !known.contains($0) }.sorted()
    return .object(
      (known + others).compactMap { name in values[name].map { .init(name, json($0)) } })
  }

  private var lensControlsJSONValue: JSONValue {
    guard let lensControls else { return .null }
    return .object(
      lensControls.sorted { $0.key < $1.key }.map { name, control in
        .init(
          name,
          .object([
            .init("value", .integer(control.value)), .init("locked", .boolean(control.locked)),
          ]))
      })
  }
}

extension Resolution {
  var jsonValue: JSONValue {
    .object([.init("width", .integer(width)), .init("height", .integer(height))])
  }
}

extension Intrinsics {
  var jsonValue: JSONValue {
    .object([
      .init("fx", .number(fx)), .init("fy", .number(fy)), .init("cx", .number(cx)),
      .init("cy", .number(cy)),
    ])
  }
}

extension CameraParameters {
  var distortionJSONValue: JSONValue {
    .object(zip(lensModel.coefficientNames, distortion).map { .init($0, .number($1)) })
  }
}

extension IntrinsicsRecord.DeviceIdentity {
  var jsonValue: JSONValue {
    .object([
      .init("id", .string(id.rawValue)), .init("name", .string(name)),
      .init("identifiedBy", .string(identifiedBy)),
    ])
  }
}

extension IntrinsicsRecord.ParameterCovariance {
  var jsonValue: JSONValue {
    .object([
      .init("parameters", .array(parameters.map { .string($0) })),
      .init("noise", .array(noise.map { .numbers($0) })),
      .init("viewToView", viewToView.map { .array($0.map { .numbers($0) }) } ?? .null),
      .init("ratios", ratios.map { .array($0.map { .optional($0) }) } ?? .null),
    ])
  }
}

extension IntrinsicsRecord.ReprojectionError {
  var jsonValue: JSONValue {
    .object([
      .init("rms", .optional(rms)), .init("sigma", .optional(sigma)),
      .init("heldOutSigma", .optional(heldOutSigma)),
    ])
  }
}

extension IntrinsicsRecord.ProjectionUncertainty {
  var jsonValue: JSONValue {
    .object(
      [
        .init("columns", .integer(columns)),
        .init("rows", .integer(rows)),
        .init("sigma", .array(sigma.map { .optional($0) })),
        .init("median", .optional(median)),
        .init("p90", .optional(p90)),
        .init("worst", .optional(worst)),
        .init(
          "share",
          .object(share.sorted { $0.key < $1.key }.map { .init($0.key, .optional($0.value)) })),
      ] + (atBoards.map { [.init("atBoards", $0.jsonValue)] } ?? []))
  }
}

extension IntrinsicsRecord.ProjectionUncertainty.AtBoards {
  var jsonValue: JSONValue {
    .object([
      .init("distance", .optional(distance)), .init("median", .optional(median)),
      .init("p90", .optional(p90)), .init("worst", .optional(worst)),
    ])
  }
}

extension IntrinsicsRecord.BoardDescription {
  var jsonValue: JSONValue {
    .object(
      [
        .init("kind", .string(kind)), .init("columns", .integer(columns)),
        .init("rows", .integer(rows)), .init("squareSize", .optional(squareSize)),
      ] + (squareHeight.map { [.init("squareHeight", .number($0))] } ?? [])
        + (bend.map { [.init("bend", $0.jsonValue)] } ?? []))
  }
}

extension IntrinsicsRecord.BoardBend {
  var jsonValue: JSONValue {
    .object([
      .init("x", .number(x)), .init("y", .number(y)),
      .init(
        "standardDeviations",
        .object([.init("x", .number(deviationX)), .init("y", .number(deviationY))])),
    ])
  }
}

extension Pose {
  var jsonValue: JSONValue {
    .object([
      .init("rotation", .numbers([rotation.x, rotation.y, rotation.z])),
      .init("translation", .numbers([translation.x, translation.y, translation.z])),
    ])
  }
}

extension IntrinsicsRecord.CalibrationView {
  var jsonValue: JSONValue {
    .object([
      .init("source", .string(source)), .init("used", .boolean(used)),
      .init("reason", .optional(reason)), .init("rms", .optional(rms)),
      .init("pose", pose?.jsonValue ?? .null),
    ])
  }
}

extension IntrinsicsRecord.Coverage {
  var jsonValue: JSONValue {
    .object([
      .init("columns", .integer(columns)),
      .init("rows", .integer(rows)),
      .init("cornerCounts", .array(cornerCounts.map { .integer($0) })),
      .init("tiltHistogram", .array(tiltHistogram.map { .integer($0) })),
    ])
  }
}

extension IntrinsicsRecord.Verdict {
  var jsonValue: JSONValue {
    .object([
      .init("level", .string(level.rawValue)),
      .init("reasons", .array(reasons.map { .string($0) })),
    ])
  }
}
