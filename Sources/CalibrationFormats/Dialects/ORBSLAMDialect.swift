internal import CameraModel

/// The settings files of ORB-SLAM 2 and 3 (`Camera.fx: …`) and of stella_vslam (`Camera: {fx: …}`).
///
/// ORB-SLAM 2 states no image size. A stereo file of ORB-SLAM 2 holds the rectified camera as
/// `Camera.fx` and the two real ones as `LEFT.K`, `RIGHT.K`. Source: the programs' example files
/// and `Settings.cc` of ORB-SLAM 3.
enum ORBSLAMDialect: TreeDialect {
  static let name = "ORB-SLAM settings"

  private static let prefixes = ["Camera", "Camera1", "Camera2"]

  /// The part of the settings that belongs to a camera, without its prefix.
  private static func camera(_ prefix: String, in root: Node) -> Node {
    if let nested = root.entries.first(where: { $0.key == prefix && $0.value.isMapping }) {
      return nested.value
    }
    let entries = root.entries.filter { $0.key.hasPrefix(prefix + ".") }.map {
      Node.Entry(key: String($0.key.dropFirst(prefix.count + 1)), value: $0.value)
    }
    return Node(content: .mapping(entries), line: entries.first?.value.line ?? root.line)
  }

  static func matches(_ root: Node) -> Bool {
    prefixes.contains { camera($0, in: root).has("fx") } || root.has("LEFT.K")
  }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    let general = camera("Camera", in: root)
    if root.has("LEFT.K") || root.has("RIGHT.K") {
      return ["LEFT", "RIGHT"].map { side in
        Candidate(side) { () throws(FormatError) in
          try unrectified(camera(side, in: root), name: side)
        }
      }
    }
    let found = prefixes.filter { camera($0, in: root).has("fx") }
    return found.map { prefix in
      Candidate(prefix) {
        () throws(FormatError) in
        try draft(camera(prefix, in: root), general: general, name: prefix)
      }
    }
  }

  private static func unrectified(_ camera: Node, name: String) throws(FormatError) -> CameraDraft {
    let coefficients = try camera.required("D", in: name).matrix("\(name).D")
    return try CameraDraft(
      matrix: try camera.required("K", in: name).matrix("\(name).K"),
      lens: try CameraDraft.Lens(.brown, coefficients, choice: nil, line: camera.line),
      resolution: try OpenCVDialect.size(in: camera))
  }

  private static func draft(_ camera: Node, general: Node, name: String) throws(FormatError)
    -> CameraDraft
  {
    let four = try ["fx", "fy", "cx", "cy"].map { (key) throws(FormatError) in
      try camera.required(key, in: name).number("\(name).\(key)")
    }
    var draft = try CameraDraft(
      four, lens: try lens(camera, general: general, name: name),
      resolution: try size(general), line: camera.line)
    draft.name = try general.value("name")?.text
    return draft
  }

  private static func lens(_ camera: Node, general: Node, name: String) throws(FormatError)
    -> CameraDraft.Lens
  {
    func coefficient(_ key: String) throws(FormatError) -> DecimalText? {
      try camera.value(key).map { (node) throws(FormatError) in try node.number("\(name).\(key)") }
    }
    let typeKey = general.has("type") ? "type" : "model"
    let type = try general.value(typeKey)
    switch type?.text.map(Node.folded) {
    case nil, "pinhole", "perspective":
      let zero = try zero(line: camera.line)
      let values = try ["k1", "k2", "p1", "p2", "k3"].map { (key) throws(FormatError) in
        try coefficient(key) ?? zero
      }
      for key in ["k4", "k5", "k6"] {
        if let extra = try coefficient(key), extra.value != 0 {
          throw FormatError(
            type == nil ? .ambiguousLens : .notRepresentable, line: extra.line,
            "\(name).\(key) beside k1 k2 p1 p2 k3: ORB-SLAM's pinhole model has no \(key), and the "
              + "file does not name another (Camera.type)")
        }
      }
      return CameraDraft.Lens(model: .pinhole, coefficients: values)
    case "kannalabrandt8", "fisheye":
      let values = try ["k1", "k2", "k3", "k4"].map { (key) throws(FormatError) in
        try camera.required(key, in: name).number("\(name).\(key)")
      }
      return CameraDraft.Lens(model: .fisheye, coefficients: values)
    case "rectified":
      throw FormatError(
        .notRepresentable, line: type?.line,
        "Camera.\(typeKey) is \"Rectified\": the numbers are those of rectified images, not of the "
          + "camera; import the calibration from which they were computed")
    default:
      throw FormatError(
        .notRepresentable, line: type?.line,
        "Camera.\(typeKey) is \(type?.kind ?? "missing"), which has no equivalent here (known: "
          + "PinHole, perspective, KannalaBrandt8, fisheye)")
    }
  }

  private static func zero(line: Int) throws(FormatError) -> DecimalText {
    try Node(content: .scalar("0"), line: line).number("zero")
  }

  private static func size(_ general: Node) throws(FormatError) -> Resolution? {
    if let width = try general.value("cols"), let height = try general.value("rows") {
      return Resolution(
        width: try width.whole("Camera.cols"), height: try height.whole("Camera.rows"))
    }
    return try OpenCVDialect.size(in: general)
  }
}
