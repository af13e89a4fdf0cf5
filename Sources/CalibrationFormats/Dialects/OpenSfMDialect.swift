/// OpenSfM's camera_models.json: recognised, and refused.
///
/// Its focal lengths and principal points are divided by the larger side of the image, so reading
/// them in pixels is a rounding, and its lens is not centred on pixels. Source: opensfm.org,
/// "Geometric models".
enum OpenSfMDialect: TreeDialect {
  static let name = "OpenSfM camera models"

  static func matches(_ root: Node) -> Bool {
    root.entries.contains { $0.value.has("projection_type") }
  }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    throw FormatError(
      .notRepresentable, line: root.line,
      "OpenSfM states focal lengths relative to the image size, which can't be read exactly in "
        + "pixels; export the reconstruction to COLMAP (opensfm export_colmap) and import that")
  }
}
