internal import CameraModel

/// Agisoft Metashape's calibration XML: `<calibration>` with f, and cx, cy from the image's centre.
///
/// u = w/2 + cx + x'f + x'b1 + y'b2, v = h/2 + cy + y'f, the origin at the corner of the top-left
/// pixel; p1 and p2 are OpenCV's p2 and p1. Source: Metashape's user manual, appendix "Camera models".
enum MetashapeDialect: TreeDialect {
  static let name = "Metashape calibration XML"

  private static func calibration(_ root: Node) -> Node? {
    root.entries.first { $0.key == "calibration" && $0.value.has("f") }?.value
  }

  static func matches(_ root: Node) -> Bool { calibration(root) != nil }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    guard let camera = calibration(root) else { return [] }
    return [Candidate("") { () throws(FormatError) in try draft(camera) }]
  }

  private static func draft(_ camera: Node) throws(FormatError) -> CameraDraft {
    if let projection = try camera.value("projection"), projection.text != "frame" {
      throw FormatError(
        .notRepresentable, line: projection.line,
        "the projection is \(projection.kind); only Metashape's frame cameras have an equivalent here"
      )
    }
    func number(_ key: String) throws(FormatError) -> DecimalText {
      try (camera.value(key) ?? Node(content: .scalar("0"), line: camera.line)).number(key)
    }
    for (key, what) in [
      ("b2", "skew"), ("k4", "a fourth radial term"), ("p3", "a third tangential term"),
      ("p4", "a fourth tangential term"),
    ] {
      let value = try number(key)
      guard value.value == 0 else {
        throw FormatError(
          .notRepresentable, line: value.line,
          "\(key) is \(value.text): \(what) has no equivalent here")
      }
    }
    let width = try camera.required("width", in: "the calibration").whole("width")
    let height = try camera.required("height", in: "the calibration").whole("height")
    func position(_ key: String, _ size: Int) throws(FormatError) -> DecimalText {
      let offset = try number(key)
      guard let half = DecimalText(Double(size) / 2), let sum = offset.adding(half) else {
        throw FormatError(
          .badValue, line: offset.line, "\(key) is \(offset.text); expected an offset in pixels")
      }
      return sum
    }
    let f = try number("f")
    guard let fx = f.adding(try number("b1")) else {
      throw FormatError(
        .badValue, line: f.line, "f is \(f.text); expected a focal length in pixels")
    }
    let coefficients = try ["k1", "k2", "p2", "p1", "k3"].map { (key) throws(FormatError) in
      try number(key)
    }
    var draft = try CameraDraft(
      [fx, f, try position("cx", width), try position("cy", height)],
      lens: .init(model: .pinhole, coefficients: coefficients),
      resolution: Resolution(width: width, height: height), line: camera.line)
    draft.origin = .corner
    draft.date = try camera.value("date")?.text
    return draft
  }
}
