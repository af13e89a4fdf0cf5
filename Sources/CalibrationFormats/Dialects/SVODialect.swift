internal import CameraModel

/// SVO's and vikit's camera rigs: `cameras: [{camera: {type, intrinsics, distortion, …}}]`.
enum SVODialect: TreeDialect {
  static let name = "SVO camera rig"

  static func matches(_ root: Node) -> Bool { !cameras(in: root).isEmpty }

  private static func cameras(in root: Node) -> [Node] {
    let list = root.entries.first { $0.key == "cameras" }?.value.elements ?? []
    return list.compactMap { element in
      element.entries.first { $0.key == "camera" && $0.value.has("type") }?.value
    }
  }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    cameras(in: root).enumerated().map { index, camera in
      let label = camera.entries.first { $0.key == "label" }?.value.text
      return Candidate(label ?? "cam\(index)") { () throws(FormatError) in
        try draft(camera, options: options)
      }
    }
  }

  private static func draft(_ camera: Node, options: ImportOptions) throws(FormatError)
    -> CameraDraft
  {
    let type = try camera.required("type", in: "the camera")
    guard type.text == "pinhole" else {
      throw FormatError(
        .notRepresentable, line: type.line,
        "the camera's type is \(type.kind), an omnidirectional polynomial (OCamCalib) or other "
          + "model that has no equivalent here; expected pinhole")
    }
    let distortion = try camera.required("distortion", in: "the camera")
    let model = try distortion.required("type", in: "distortion")
    let coefficients = try distortion.value("parameters").map { (node) throws(FormatError) in
      try node.matrix("distortion.parameters")
    }
    let lens = try CameraDraft.Lens(
      try StatedLens.named(model, as: "distortion.type"), coefficients,
      choice: options.lensModel, line: model.line)
    let intrinsics = try camera.required("intrinsics", in: "the camera").matrix("intrinsics")
    return try CameraDraft(
      intrinsics.values, lens: lens, resolution: try OpenCVDialect.size(in: camera),
      line: intrinsics.line)
  }
}
