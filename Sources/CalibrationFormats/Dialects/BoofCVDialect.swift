internal import CameraModel

/// BoofCV's YAML: `model` and `pinhole`, for one camera or for the two of a stereo pair.
///
/// The origin of pixel positions is the corner of the top-left pixel. Radial and tangential terms
/// are those of Brown–Conrady with t1 = p1, t2 = p2. Source: boofcv.org, "Camera models", and
/// mrcal's documentation ("Conventions") for the origin.
enum BoofCVDialect: TreeDialect {
  static let name = "BoofCV YAML"

  private static func isCamera(_ node: Node) -> Bool { node.has("pinhole") && node.has("model") }

  private static let sides = ["left", "right"]

  static func matches(_ root: Node) -> Bool {
    isCamera(root)
      || root.has("model") && root.entries.contains { sides.contains($0.key) && isCamera($0.value) }
  }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    if isCamera(root) { return [Candidate("") { () throws(FormatError) in try draft(root) }] }
    return root.entries.filter { sides.contains($0.key) && isCamera($0.value) }.map { entry in
      Candidate(entry.key) { () throws(FormatError) in try draft(entry.value) }
    }
  }

  private static func draft(_ root: Node) throws(FormatError) -> CameraDraft {
    let pinhole = try root.required("pinhole", in: "the camera")
    let four = try ["fx", "fy", "cx", "cy"].map { (key) throws(FormatError) in
      try pinhole.required(key, in: "pinhole").number("pinhole.\(key)")
    }
    let model = try root.required("model", in: "the camera")
    let lens: CameraDraft.Lens
    switch try model.string("model") {
    case "pinhole": lens = .undistorted
    case "pinhole_radial_tangential", "pinhole_brown": lens = try radialTangential(root)
    case let name:
      let what =
        switch name {
        case "omnidirectional_universal":
          "a unified omnidirectional lens (mirror_offset) that has no equivalent here"
        case "kannala_brandt":
          "a fisheye lens whose first coefficient scales the angle, which is not read here"
        default: "a model that has no equivalent here"
        }
      throw FormatError(
        .notRepresentable, line: model.line, "BoofCV's \(name) is \(what)")
    }
    var draft = try CameraDraft(
      four, lens: lens, resolution: try OpenCVDialect.size(in: pinhole), line: pinhole.line)
    draft.skew = try pinhole.value("skew").map { (node) throws(FormatError) in
      try node.number("pinhole.skew")
    }
    draft.origin = .corner
    return draft
  }

  private static func radialTangential(_ root: Node) throws(FormatError) -> CameraDraft.Lens {
    let terms = try root.required("radial_tangential", in: "the camera")
    let radial = try terms.value("radial").map { (node) throws(FormatError) in
      try node.matrix("radial").values
    }
    let t = try ["t1", "t2"].map { (key) throws(FormatError) in
      try terms.required(key, in: "radial_tangential").number(key)
    }
    var k = radial ?? []
    if k.count > 3 {
      if let extra = k[3...].first(where: { $0.value != 0 }) {
        throw FormatError(
          .notRepresentable, line: extra.line,
          "\(k.count) radial coefficients, of r² to r^\(2 * k.count); the pinhole model here ends "
            + "with k3 (r⁶), and k4 is \(extra.text)")
      }
      k = Array(k[..<3])
    }
    let zero = try Node(content: .scalar("0"), line: terms.line).number("zero")
    while k.count < 3 { k.append(zero) }
    return .init(model: .pinhole, coefficients: [k[0], k[1], t[0], t[1], k[2]])
  }
}
