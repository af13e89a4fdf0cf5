internal import CameraModel

/// KITTI's calibrations: `calib_cam_to_cam.txt` of the raw recordings, whose K, D and S describe the
/// cameras, and `calib.txt` of the odometry, which has rectified projections only.
///
/// Source: cvlibs.net/datasets/kitti, development kits' readme files.
enum KITTIDialect: TextDialect {
  static let name = "KITTI calibration"

  /// Lines `NAME: numbers`, or unnamed lines of 12 numbers.
  private static func entries(_ source: SourceText) -> [Node.Entry]? {
    var entries: [Node.Entry] = []
    for (index, line) in source.firstLines.enumerated() {
      let number = index + 1
      var words = line.trimmed.words
      guard let first = words.first else { continue }
      if first.hasSuffix(":") {
        words.removeFirst()
      } else if words.count != 12 {
        return nil
      }
      let key = first.hasSuffix(":") ? String(first.dropLast()) : ""
      let values = words.map { Node(content: .scalar($0), line: number) }
      entries.append(.init(key: key, value: Node(content: .sequence(values), line: number)))
    }
    return entries
  }

  static func matches(_ source: SourceText) -> Bool {
    guard let entries = entries(source), let first = entries.first else { return false }
    if entries.contains(where: { $0.key == "K_00" || $0.key == "K_02" }) { return true }
    let isProjection = first.key.isEmpty || first.key == "P0" || first.key.hasPrefix("P_rect")
    return isProjection && first.value.elements?.count == 12
      && first.value.elements?.allSatisfy { $0.text.flatMap { DecimalText($0, line: 0) } != nil }
        ?? false
  }

  static func candidates(_ source: SourceText, options: ImportOptions) throws(FormatError)
    -> [Candidate]
  {
    let root = Node(content: .mapping(entries(source) ?? []), line: 1)
    let ids = ["00", "01", "02", "03"].filter { root.has("K_\($0)") }
    guard !ids.isEmpty else {
      throw FormatError(
        .notRepresentable, line: 1,
        "projection matrices of rectified images: they are not a camera's own intrinsics, and the "
          + "file states neither distortion nor image size; import K_.., D_.. and S_.. of "
          + "calib_cam_to_cam.txt instead")
    }
    return ids.map { id in
      Candidate(id) { () throws(FormatError) in
        let coefficients = try root.required("D_\(id)", in: "the file").matrix("D_\(id)")
        return try CameraDraft(
          matrix: try root.required("K_\(id)", in: "the file").matrix("K_\(id)"),
          lens: try CameraDraft.Lens(.brown, coefficients, choice: nil, line: coefficients.line),
          resolution: try root.value("S_\(id)").map { (node) throws(FormatError) in
            try OpenCVDialect.resolution(node)
          })
      }
    }
  }
}
