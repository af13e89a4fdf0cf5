internal import CameraModel

/// Kalibr's camchain: `cam0`, `cam1`, … each with `camera_model`, `intrinsics`, `distortion_model`.
///
/// Source: github.com/ethz-asl/kalibr, wiki pages "Yaml formats" and "Supported models".
enum KalibrDialect: TreeDialect {
  static let name = "Kalibr camchain"

  private static func cameras(in root: Node) -> [Node.Entry] {
    root.entries.filter { entry in
      entry.key.hasPrefix("cam") && UInt16(entry.key.dropFirst(3)) != nil
        && entry.value.has("intrinsics") && entry.value.has("camera_model")
    }
  }

  static func matches(_ root: Node) -> Bool { !cameras(in: root).isEmpty }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    cameras(in: root).map { entry in
      Candidate(entry.key) { () throws(FormatError) in
        try draft(entry.value, name: entry.key, options: options)
      }
    }
  }

  private static func draft(_ camera: Node, name: String, options: ImportOptions)
    throws(FormatError) -> CameraDraft
  {
    let model = try camera.required("camera_model", in: name)
    guard model.text == "pinhole" else {
      throw FormatError(
        .notRepresentable, line: model.line,
        "\(name).camera_model is \(model.kind); only Kalibr's pinhole has an equivalent here, not "
          + "its omni, ds (double sphere: xi, alpha) and eucm (extended unified: alpha, beta)")
    }
    let distortion = try camera.required("distortion_model", in: name)
    let coefficients = try camera.value("distortion_coeffs").map { (node) throws(FormatError) in
      try node.matrix("\(name).distortion_coeffs")
    }
    let stated = try StatedLens.named(distortion, as: "\(name).distortion_model")
    guard stated == .none || coefficients?.values.count == 4 else {
      throw FormatError(
        .badValue, line: distortion.line,
        "\(name).distortion_coeffs has \(coefficients?.values.count ?? 0) numbers; expected 4")
    }
    let lens = try CameraDraft.Lens(
      stated, coefficients, choice: options.lensModel, line: distortion.line)
    let intrinsics = try camera.required("intrinsics", in: name).matrix("\(name).intrinsics")
    let resolution = try camera.value("resolution").map { (node) throws(FormatError) in
      try OpenCVDialect.resolution(node)
    }
    return try CameraDraft(
      intrinsics.values, lens: lens, resolution: resolution, line: intrinsics.line)
  }
}
