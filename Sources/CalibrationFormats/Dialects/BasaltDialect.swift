internal import CameraModel

/// Basalt's calibrations: cameras with a `camera_type` and named intrinsics, in JSON or YAML.
///
/// Source: gitlab.com/VladyslavUsenko/basalt-headers, `include/basalt/camera`.
enum BasaltDialect: TreeDialect {
  static let name = "Basalt calibration"

  static func matches(_ root: Node) -> Bool { !(cameras(in: root) ?? []).isEmpty }

  private struct Camera {
    var id: String
    var node: Node
    var resolution: Node?
  }

  /// Basalt's own `value0`, or one mapping a camera (`camera_0: {camera_type: …}`).
  private static func cameras(in root: Node) -> [Camera]? {
    func first(_ key: String, in node: Node) -> Node? {
      node.entries.first { $0.key == key }?.value
    }
    if let value = first("value0", in: root), let list = first("intrinsics", in: value)?.elements {
      guard list.allSatisfy({ $0.has("camera_type") }) else { return nil }
      let sizes = first("resolution", in: value)?.elements ?? []
      return list.enumerated().map { index, node in
        Camera(
          id: "cam\(index)", node: node,
          resolution: sizes.indices.contains(index) ? sizes[index] : nil)
      }
    }
    return root.entries.filter { $0.value.has("camera_type") && $0.value.has("intrinsics") }.map {
      let size = first("resolution", in: $0.value)
      return Camera(id: $0.key, node: $0.value, resolution: size)
    }
  }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    let cameras = cameras(in: root) ?? []
    return cameras.map { camera in
      Candidate(camera.id) { () throws(FormatError) in try draft(camera) }
    }
  }

  private static func draft(_ camera: Camera) throws(FormatError) -> CameraDraft {
    let type = try camera.node.required("camera_type", in: camera.id)
    var intrinsics = try camera.node.required("intrinsics", in: camera.id)
    if let elements = intrinsics.elements, elements.count == 1 { intrinsics = elements[0] }
    func numbers(_ keys: [String]) throws(FormatError) -> [DecimalText] {
      try keys.map { (key) throws(FormatError) in
        try intrinsics.required(key, in: "intrinsics").number("\(camera.id).\(key)")
      }
    }
    let lens: CameraDraft.Lens
    var notices: [String] = []
    switch try type.string("camera_type") {
    case "pinhole": lens = .undistorted
    case "kb4":
      lens = .init(model: .fisheye, coefficients: try numbers(["k1", "k2", "k3", "k4"]))
    case "pinhole-radtan8":
      let keys = ["k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"]
      lens = .init(model: .rational, coefficients: try numbers(keys))
      if intrinsics.has("rpmax") {
        notices.append("rpmax, the radius within which the file's model is valid, is not kept")
      }
    case let name:
      let what =
        switch name {
        case "ds": "a double-sphere lens (xi, alpha)"
        case "eucm": "an extended unified lens (alpha, beta)"
        case "ucm": "a unified lens (alpha)"
        case "fov": "a field-of-view lens (w)"
        default: "a lens model \"\(name)\""
        }
      throw FormatError(
        .notRepresentable, line: type.line,
        "\(camera.id) is \(what), which has no equivalent here; fit a fisheye lens to it "
          + "(calibrate --lens fisheye) instead")
    }
    var draft = try CameraDraft(
      try numbers(["fx", "fy", "cx", "cy"]), lens: lens,
      resolution: try camera.resolution.map { (node) throws(FormatError) in
        try OpenCVDialect.resolution(node)
      }, line: type.line)
    draft.notices = notices
    return draft
  }
}
