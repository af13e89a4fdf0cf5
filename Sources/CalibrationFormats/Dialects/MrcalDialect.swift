internal import CameraModel

/// mrcal's `.cameramodel`: a Python literal with `lensmodel`, `intrinsics` and `imagersize`.
///
/// Pixel centres are whole numbers. Source: mrcal.secretsauce.net, "Lens models" and
/// "The .cameramodel file format".
enum MrcalDialect: TextDialect {
  static let name = "mrcal .cameramodel"

  static func matches(_ source: SourceText) -> Bool {
    for line in source.firstLines {
      let text = line.trimmed
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard text.hasPrefix("{") else { return false }
      return source.text.contains("'lensmodel'")
        || source.text.contains("\"lensmodel\"") && source.text.contains("\"imagersize\"")
    }
    return false
  }

  static func candidates(_ source: SourceText, options: ImportOptions) throws(FormatError)
    -> [Candidate]
  {
    let root = try JSONReader.document(in: source, style: .pythonLiteral)
    return [Candidate("") { () throws(FormatError) in try draft(root) }]
  }

  private static func draft(_ root: Node) throws(FormatError) -> CameraDraft {
    let model = try root.required("lensmodel", in: "the model")
    let intrinsics = try root.required("intrinsics", in: "the model").matrix("intrinsics")
    let expected: Int
    switch try model.string("lensmodel") {
    case "LENSMODEL_PINHOLE": expected = 4
    case "LENSMODEL_OPENCV4": expected = 8
    case "LENSMODEL_OPENCV5": expected = 9
    case "LENSMODEL_OPENCV8": expected = 12
    case "LENSMODEL_OPENCV12": expected = 16
    case let name:
      let what =
        name.hasPrefix("LENSMODEL_SPLINED")
        ? "a splined lens model (a grid of control points)"
        : "a lens model"
      throw FormatError(
        .notRepresentable, line: model.line,
        "\(name) is \(what) that has no equivalent here; mrcal-convert-lensmodel can fit "
          + "LENSMODEL_OPENCV8 to it, which can be imported")
    }
    guard intrinsics.values.count == expected else {
      throw FormatError(
        .badValue, line: intrinsics.line,
        "\(intrinsics.values.count) intrinsics; expected \(expected) for \(model.kind)")
    }
    let coefficients = MatrixNode(
      rows: 1, columns: expected - 4, values: Array(intrinsics.values[4...]),
      line: intrinsics.line)
    return try CameraDraft(
      Array(intrinsics.values[..<4]),
      lens: try CameraDraft.Lens(.brown, coefficients, choice: nil, line: intrinsics.line),
      resolution: try root.value("imagersize").map { (node) throws(FormatError) in
        try OpenCVDialect.resolution(node)
      }, line: intrinsics.line)
  }
}
