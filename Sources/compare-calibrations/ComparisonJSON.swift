import CalibrationComparison
import CalibrationStore
import CameraModel

/// The comparison for programs.
struct ComparisonJSON {
  let text: String

  init(_ a: IntrinsicsRecord, _ b: IntrinsicsRecord, names: [String], _ comparison: Comparison) {
    let field = comparison.field
    var members: [JSONValue.Member] = [
      .init("outcome", .string(comparison.outcome.rawValue)),
      .init("differs", .boolean(comparison.differs)),
      .init("a", Self.side(a, names[0])), .init("b", Self.side(b, names[1])),
      .init("resolution", Self.size(field.resolution)),
      .init("turn", .numbers([comparison.turn.x, comparison.turn.y, comparison.turn.z])),
      .init(
        "difference",
        Self.figures(
          field.lengths,
          [
            .init("worstAt", field.worst.map { .numbers([$0.at.x, $0.at.y]) } ?? .null),
            .init("columns", .integer(DifferenceField.columns)),
            .init("rows", .integer(DifferenceField.rows)),
            .init("x", .array(field.differences.map { .optional($0?.x) })),
            .init("y", .array(field.differences.map { .optional($0?.y) })),
          ])),
    ]
    if !comparison.predicted.isEmpty {
      members.append(
        .init(
          "expected",
          Self.figures(
            comparison.predicted,
            [.init("sigma", .array(comparison.predicted.map { .optional($0) }))])))
    }
    members += [
      .init("ratio", .optional(comparison.ratio)),
      .init("probability", .optional(comparison.probability)),
      .init("notices", .array(comparison.notices.map { .string($0) })),
    ]
    text = JSONValue.object(members).jsonText()
  }

  private static func figures(_ values: [Double?], _ more: [JSONValue.Member]) -> JSONValue {
    .object(
      [("median", 0.5), ("p90", 0.9), ("worst", 1)].map { name, share in
        .init(name, .optional(DifferenceField.level(share, of: values)))
      } + more)
  }

  private static func side(_ record: IntrinsicsRecord, _ name: String) -> JSONValue {
    .object([
      .init("name", .string(name)), .init("device", .string(record.device.id.rawValue)),
      .init("lensModel", .string(record.camera.lensModel.rawValue)),
      .init("created", .string(record.created)),
    ])
  }

  private static func size(_ size: Resolution) -> JSONValue {
    .object([.init("width", .integer(size.width)), .init("height", .integer(size.height))])
  }
}
