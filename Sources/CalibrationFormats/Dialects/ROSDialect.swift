internal import CameraModel

/// ROS's camera_info YAML.
///
/// Source: sensor_msgs/CameraInfo and the package camera_calibration_parsers. What counts is K and
/// D, the camera as it is; R and P describe rectified images and are not kept.
enum ROSDialect: TreeDialect {
  static let name = "ROS camera_info YAML"

  /// Not what `show-intrinsics --format opencv` writes: that has ROS's keys, too, beside OpenCV's flag.
  static func matches(_ root: Node) -> Bool {
    !root.has("fisheye_model") && root.has("camera_matrix") && root.has("distortion_model")
      && (root.has("rectification_matrix") || root.has("projection_matrix")
        || root.has("camera_name"))
  }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    [Candidate("") { () throws(FormatError) in try draft(root, options: options) }]
  }

  private static func draft(_ root: Node, options: ImportOptions) throws(FormatError) -> CameraDraft
  {
    for key in ["binning_x", "binning_y"] {
      if let binning = try root.value(key), try binning.whole(key) > 1 {
        throw FormatError(
          .notRepresentable, line: binning.line,
          "\(key) is \(binning.kind): the numbers are for other images than the binned ones; "
            + "remove it to import the unbinned camera")
      }
    }
    let model = try root.required("distortion_model", in: "the file")
    let stated: StatedLens
    switch try model.string("distortion_model") {
    case "plumb_bob", "rational_polynomial": stated = .brown
    case "equidistant", "fisheye": stated = .fisheye
    case let name:
      throw FormatError(
        .notRepresentable, line: model.line,
        "distortion_model is \"\(name)\"; expected plumb_bob, rational_polynomial or equidistant")
    }
    let matrix = try root.required("camera_matrix", in: "the file").matrix("camera_matrix")
    let coefficients = try root.required("distortion_coefficients", in: "the file")
      .matrix("distortion_coefficients")
    let lens = try CameraDraft.Lens(
      stated, coefficients, choice: options.lensModel, line: model.line)
    let width = try root.value("image_width")
    let height = try root.value("image_height")
    var resolution: Resolution?
    if let width, let height {
      resolution = Resolution(
        width: try width.whole("image_width"), height: try height.whole("image_height"))
    }
    var draft = try CameraDraft(matrix: matrix, lens: lens, resolution: resolution)
    // Some who write ROS's keys state more than ROS.
    try OpenCVDialect.addProvenance(to: &draft, from: root)
    draft.name = try root.value("camera_name")?.text
    draft.notices += try unkept(root)
    return draft
  }

  /// What the file says of rectified images: it belongs to a pair of cameras, not to this one.
  private static func unkept(_ root: Node) throws(FormatError) -> [String] {
    var keys: [String] = []
    if let rotation = try root.value("rectification_matrix")?.matrix("rectification_matrix"),
      rotation.values.enumerated().contains(where: { $1.value != ($0 % 4 == 0 ? 1 : 0) })
    {
      keys.append("rectification_matrix")
    }
    if let projection = try root.value("projection_matrix")?.matrix("projection_matrix"),
      projection.columns == 4,
      (0..<projection.rows).contains(where: { projection[$0, 3].value != 0 })
    {
      keys.append("projection_matrix")
    }
    guard !keys.isEmpty else { return [] }
    return [
      "\(keys.joined(separator: " and ")), which place\(keys.count == 1 ? "s" : "") rectified images beside "
        + "those of another camera, \(keys.count == 1 ? "is" : "are") not kept: the camera is as it is "
        + "before rectification"
    ]
  }
}

/// ROS's INI dialect, `ost.txt`, from the days of the Videre cameras.
enum ROSINIDialect: TextDialect {
  static let name = "ROS INI (ost.txt)"

  static func matches(_ source: SourceText) -> Bool { INIReader.matches(source) }

  static func candidates(_ source: SourceText, options: ImportOptions) throws(FormatError)
    -> [Candidate]
  {
    let sections = try INIReader.sections(in: source)
    let image = sections.first { $0.name == "image" }
    let cameras = sections.filter { section in
      section.items.contains { $0.name == "camera matrix" }
    }
    guard !cameras.isEmpty else {
      throw FormatError(
        .notACalibration,
        "an INI file with the sections \(sections.map { "[\($0.name)]" }.joined(separator: ", ")), "
          + "none of which has a \"camera matrix\"")
    }
    return cameras.map { section in
      Candidate(section.name) { () throws(FormatError) in
        try draft(section, image: image, options: options)
      }
    }
  }

  private static func draft(
    _ section: INIReader.Section, image: INIReader.Section?, options: ImportOptions
  ) throws(FormatError) -> CameraDraft {
    func matrix(_ name: String) throws(FormatError) -> MatrixNode {
      guard let item = try section.item(name) else {
        throw FormatError(
          .badValue, line: section.line, "[\(section.name)] has no \"\(name)\"")
      }
      return MatrixNode(rows: 1, columns: item.numbers.count, values: item.numbers, line: item.line)
    }
    // The file has no place for the model's name; ROS's calibrator writes five or eight
    // coefficients for a pinhole and four for a fisheye lens.
    let lens = try CameraDraft.Lens(
      .unstated, try matrix("distortion"), choice: options.lensModel, line: section.line)
    var resolution: Resolution?
    if let image, let width = try image.item("width"), let height = try image.item("height") {
      let size = (width.numbers + height.numbers).map {
        Node(content: .scalar($0.text), line: $0.line)
      }
      resolution = try OpenCVDialect.resolution(
        Node(content: .sequence(size), line: width.line))
    }
    var draft = try CameraDraft(
      matrix: try matrix("camera matrix"), lens: lens, resolution: resolution)
    draft.name = section.name
    return draft
  }
}
