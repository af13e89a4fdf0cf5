internal import CameraModel

/// Gyroflow's lens profiles: OpenCV's fisheye model in `fisheye_params`.
///
/// Source: github.com/gyroflow/gyroflow, `src/core/lens_profile.rs`.
enum GyroflowDialect: TreeDialect {
  static let name = "Gyroflow lens profile"

  static func matches(_ root: Node) -> Bool {
    root.has("fisheye_params") && root.has("calib_dimension")
  }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    [Candidate("") { () throws(FormatError) in try draft(root) }]
  }

  private static func draft(_ root: Node) throws(FormatError) -> CameraDraft {
    if let model = try root.value("distortion_model"), model.text != "opencv_fisheye" {
      throw FormatError(
        .notRepresentable, line: model.line,
        "distortion_model is \(model.kind), which has no equivalent here; expected opencv_fisheye")
    }
    if let lens = try root.value("digital_lens") {
      throw FormatError(
        .notRepresentable, line: lens.line,
        "digital_lens is \(lens.kind): what the camera does to its images has no equivalent here")
    }
    for key in ["input_horizontal_stretch", "input_vertical_stretch"] {
      // Gyroflow writes 0 for "not set".
      if let stretch = try root.value(key), ![0, 1].contains(try stretch.number(key).value) {
        throw FormatError(
          .notRepresentable, line: stretch.line,
          "\(key) is \(stretch.kind): the numbers are for stretched images, not the camera's own")
      }
    }
    let parameters = try root.required("fisheye_params", in: "the profile")
    let coefficients = try parameters.required("distortion_coeffs", in: "fisheye_params")
      .matrix("distortion_coeffs")
    let lens = try CameraDraft.Lens(
      .fisheye, coefficients, choice: nil, line: parameters.line)
    var draft = try CameraDraft(
      matrix: try parameters.required("camera_matrix", in: "fisheye_params")
        .matrix("camera_matrix"),
      lens: lens,
      resolution: try OpenCVDialect.resolution(
        try root.required("calib_dimension", in: "the profile")))
    draft.rms = try parameters.value("RMS_error")?.text
      .flatMap { DecimalText($0, line: 0) }?.value
    draft.date = try root.value("date")?.text
    let names = try ["camera_brand", "camera_model", "lens_model", "camera_setting"]
      .map { (key) throws(FormatError) in try root.value(key)?.text ?? "" }
    draft.name = names.filter { !$0.isEmpty }.joined(separator: " ")
    return draft
  }
}
