internal import CameraModel

/// Kimera-VIO's and EuRoC's sensor YAML: one camera with Kalibr's parameters at the top level.
enum KimeraDialect: TreeDialect {
  static let name = "Kimera/EuRoC sensor YAML"

  static func matches(_ root: Node) -> Bool {
    root.has("camera_model") && root.has("intrinsics") && root.has("distortion_model")
      && root.has("distortion_coefficients")
  }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    [Candidate("") { () throws(FormatError) in try draft(root, options: options) }]
  }

  private static func draft(_ root: Node, options: ImportOptions) throws(FormatError) -> CameraDraft
  {
    let camera = try root.required("camera_model", in: "the file")
    guard camera.text == "pinhole" else {
      throw FormatError(
        .notRepresentable, line: camera.line,
        "camera_model is \(camera.kind); only pinhole has an equivalent here")
    }
    let model = try root.required("distortion_model", in: "the file")
    let coefficients = try root.required("distortion_coefficients", in: "the file")
      .matrix("distortion_coefficients")
    let lens = try CameraDraft.Lens(
      try StatedLens.named(model, as: "distortion_model"), coefficients,
      choice: options.lensModel, line: model.line)
    let intrinsics = try root.required("intrinsics", in: "the file").matrix("intrinsics")
    var draft = try CameraDraft(
      intrinsics.values, lens: lens, resolution: try OpenCVDialect.size(in: root),
      line: intrinsics.line)
    draft.name = try root.value("camera_id")?.text
    return draft
  }
}
