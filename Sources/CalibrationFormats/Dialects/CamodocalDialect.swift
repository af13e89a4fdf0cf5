internal import CameraModel

/// camodocal's YAML, which VINS-Mono and VINS-Fusion use: `model_type` with named parameters.
///
/// Source: github.com/hengli/camodocal, `PinholeCamera.cc` and `EquidistantCamera.cc`, whose
/// k2…k5 are the coefficients of θ³…θ⁹.
enum CamodocalDialect: TreeDialect {
  static let name = "camodocal YAML (VINS)"

  static func matches(_ root: Node) -> Bool {
    root.has("model_type")
      && (root.has("projection_parameters") || root.has("mirror_parameters")
        || root.has("poly_parameters"))
  }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    [Candidate("") { () throws(FormatError) in try draft(root) }]
  }

  private static func draft(_ root: Node) throws(FormatError) -> CameraDraft {
    let model = try root.required("model_type", in: "the file")
    func numbers(_ keys: [String], of section: String) throws(FormatError) -> [DecimalText] {
      let parameters = try root.required(section, in: "the file")
      return try keys.map { (key) throws(FormatError) in
        try parameters.required(key, in: section).number("\(section).\(key)")
      }
    }
    let four: [DecimalText]
    let lens: CameraDraft.Lens
    switch try model.string("model_type").uppercased() {
    case "PINHOLE":
      four = try numbers(["fx", "fy", "cx", "cy"], of: "projection_parameters")
      lens = .init(
        model: .pinhole,
        coefficients: try numbers(["k1", "k2", "p1", "p2"], of: "distortion_parameters"))
    case "KANNALA_BRANDT":
      four = try numbers(["mu", "mv", "u0", "v0"], of: "projection_parameters")
      lens = .init(
        model: .fisheye,
        coefficients: try numbers(["k2", "k3", "k4", "k5"], of: "projection_parameters"))
    case let name:
      let what =
        switch name {
        case "MEI": "a unified omnidirectional lens (mirror parameter xi)"
        case "FOV": "a field-of-view lens (omega)"
        case "SCARAMUZZA": "a polynomial omnidirectional lens"
        default: "a lens model"
        }
      throw FormatError(
        .notRepresentable, line: model.line, "\(name) is \(what) that has no equivalent here")
    }
    var draft = try CameraDraft(
      four, lens: lens, resolution: try OpenCVDialect.size(in: root), line: model.line)
    draft.name = try root.value("camera_name")?.text
    return draft
  }
}
