internal import CameraModel

/// XML with RealSense's words: `intrinsic_matrix` of fx, fy, ppx, ppy and a named distortion model.
enum RealSenseDialect: TreeDialect {
  static let name = "RealSense-style XML"

  private static func camera(_ root: Node) -> Node? {
    root.entries.first { $0.key == "camera_intrinsics" && $0.value.has("intrinsic_matrix") }?.value
  }

  static func matches(_ root: Node) -> Bool { camera(root) != nil }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    guard let camera = camera(root) else { return [] }
    return [Candidate("") { () throws(FormatError) in try draft(camera, options: options) }]
  }

  private static func draft(_ camera: Node, options: ImportOptions) throws(FormatError)
    -> CameraDraft
  {
    let matrix = try camera.required("intrinsic_matrix", in: "the camera")
    let four = try ["fx", "fy", "ppx", "ppy"].map { (key) throws(FormatError) in
      try matrix.required(key, in: "intrinsic_matrix").number(key)
    }
    let distortion = try camera.required("distortion", in: "the camera")
    let model = try distortion.required("model", in: "distortion")
    // The five values stand as coeff_0 … coeff_4.
    let coefficients = try distortion.required("coefficients", in: "distortion")
    let values = try (0..<5).map { (index) throws(FormatError) in
      try coefficients.required("coeff_\(index)", in: "coefficients").number("coeff_\(index)")
    }
    let name = try model.string("distortion.model")
    let isNone = values.allSatisfy { $0.value == 0 }
    guard isNone || name == "distortion.brown_conrady" else {
      throw FormatError(
        .notRepresentable, line: model.line,
        "the distortion model is \(name), "
          + (name.hasSuffix("inverse_brown_conrady")
            ? "which maps distorted to undistorted points, the opposite direction; it "
            : "which ") + "has no equivalent here")
    }
    var draft = try CameraDraft(
      four, lens: .init(model: .pinhole, coefficients: values),
      resolution: try OpenCVDialect.size(in: camera), line: matrix.line)
    draft.name = try camera.value("serial_number")?.text
    return draft
  }
}
