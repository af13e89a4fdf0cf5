internal import CameraModel

/// A camera matrix beside distortion coefficients, under the many names that people give them.
///
/// OpenCV's FileStorage in its three notations, its sample programs' keys, ofxCv, iai_kinect2,
/// PhotonVision, and plain JSON with `K` and `D`. Pixel centres are whole numbers in all of them.
enum OpenCVDialect: TreeDialect {
  static let name = "OpenCV"

  private static let matrixKeys = [
    "cameramatrix", "cameraintrinsics", "intrinsicmatrix", "cameramat", "intrinsics", "mtx", "k",
    "m",
  ]
  private static let coefficientKeys = [
    "distortioncoefficients", "distortioncoeffs", "distortioncoeff", "distcoeffs", "distcoefs",
    "distcoeff", "distortionparameters", "distortion", "dist", "d",
  ]
  /// What may stand after a matrix's name when a file holds several cameras.
  private static let suffixes = [
    "", "0", "1", "2", "3", "l", "r", "left", "right", "rgb", "ir", "pinhole", "fisheye",
  ]

  /// A camera matrix with its key and the suffix that binds it to its coefficients.
  private struct Found {
    var key: String
    var base: String
    var suffix: String
  }

  private static func found(in root: Node) -> [Found] {
    root.entries.compactMap { entry -> Found? in
      guard entry.value.looksLikeMatrix else { return nil }
      let key = Node.folded(entry.key)
      for base in matrixKeys where key.hasPrefix(base) {
        let suffix = String(key.dropFirst(base.count))
        if suffixes.contains(suffix) { return Found(key: entry.key, base: base, suffix: suffix) }
      }
      return nil
    }
  }

  static func matches(_ root: Node) -> Bool { !found(in: root).isEmpty }

  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate] {
    var cameras = found(in: root)
    var notices: [String] = []
    // One camera fitted with two models (K, D beside mtx_pinhole, dist_pinhole): K and D are the
    // other model than the one that is named.
    let other = cameras.filter { ["pinhole", "fisheye"].contains($0.suffix) }
    if let main = cameras.first(where: { $0.suffix.isEmpty }), cameras.count == 2,
      let named = other.first, options.camera != named.key
    {
      cameras = [main]
      notices.append(
        "\(main.key) was read; the file also holds \(named.key): choose it with --camera \(named.key)"
      )
    }
    let namedModel = other.first?.suffix
    return cameras.map { camera in
      Candidate(camera.key) {
        () throws(FormatError) in
        var stated = try stated(in: root)
        if stated == .unstated {
          if camera.suffix == "pinhole" { stated = .brown }
          if camera.suffix == "fisheye" { stated = .fisheye }
          if camera.suffix.isEmpty, namedModel == "pinhole" { stated = .fisheye }
          if camera.suffix.isEmpty, namedModel == "fisheye" { stated = .brown }
        }
        var draft = try draft(camera, in: root, stated: stated, options: options)
        draft.notices += notices
        return draft
      }
    }
  }

  private static func draft(
    _ camera: Found, in root: Node, stated: StatedLens, options: ImportOptions
  ) throws(FormatError) -> CameraDraft {
    let matrix = try root.required(camera.key, in: "the file").matrix(camera.key)
    let coefficients = try root.value(spelledLike: coefficientKeys.map { $0 + camera.suffix })
    guard let coefficients else {
      throw FormatError(
        .badValue, line: matrix.line,
        "\(camera.key) without distortion coefficients (expected distortion_coefficients, "
          + "distCoeffs, D …): whether the lens is free of distortion is not ours to guess")
    }
    let values = try coefficients.matrix("the distortion coefficients")
    // OpenCV documents four `distCoeffs` as k1 k2 p1 p2; four of a mere "D" may be a fisheye's.
    let isShort = ["k", "m", "mtx"].contains(camera.base)
    let lens = try CameraDraft.Lens(
      stated == .unstated && !isShort && options.lensModel == nil ? .brown : stated, values,
      choice: options.lensModel, line: matrix.line)
    var draft = try CameraDraft(matrix: matrix, lens: lens, resolution: try size(in: root))
    if stated == .unstated, !isShort, values.values.count == 4, options.lensModel == nil {
      draft.notices.append(
        "four distortion coefficients were read as k1 k2 p1 p2, as OpenCV documents them; if this "
          + "is a fisheye calibration, import it with --lens fisheye")
    }
    try addProvenance(to: &draft, from: root)
    return draft
  }

  /// What the file says of the lens model, by OpenCV's flag or by a name.
  private static func stated(in root: Node) throws(FormatError) -> StatedLens {
    if let mirror = try root.value(spelledLike: ["xi"]) {
      throw FormatError(
        .notRepresentable, line: mirror.line,
        "the file has a mirror parameter xi: OpenCV's omnidirectional lens model has no equivalent "
          + "here")
    }
    if let flag = try root.value(spelledLike: ["fisheyemodel"]) {
      switch flag.text {
      case "1", "true": return .fisheye
      case "0", "false": return .brown
      default:
        throw FormatError(
          .badValue, line: flag.line, "fisheye_model is \(flag.kind); expected 0 or 1")
      }
    }
    let keys = ["distortionmodel", "lensmodel", "cameramodel", "modeltype", "cameratype"]
    guard let model = try root.value(spelledLike: keys) else { return .unstated }
    return try StatedLens.named(model, as: "the lens model")
  }

  /// The error, date and name that a file of OpenCV's keys may state.
  static func addProvenance(to draft: inout CameraDraft, from root: Node)
    throws(FormatError)
  {
    let rms = try root.value(spelledLike: [
      "avgreprojectionerror", "reprojectionerror", "rms", "rmserror",
    ])
    // Of no use where it is nan, but no reason to refuse the camera.
    draft.rms = rms?.text.flatMap { DecimalText($0, line: 0) }?.value
    draft.date = try root.value(spelledLike: ["calibrationtime", "calibrationdate", "date"])?.text
      .map(unquoted)
    draft.name = try root.value(spelledLike: ["cameraname", "camerauniquename", "serial"])?.text
  }

  /// OpenCV's XML keeps the quotation marks of a string in the text.
  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast())
  }
}

extension OpenCVDialect {
  /// The size of the images in any of its spellings; nil when the file does not state it.
  static func size(in root: Node) throws(FormatError) -> Resolution? {
    for (width, height) in [
      ("imagewidth", "imageheight"), ("imagesizewidth", "imagesizeheight"), ("width", "height"),
      ("imgwidth", "imgheight"), ("framewidth", "frameheight"),
    ] {
      let w = try root.value(spelledLike: [width])
      let h = try root.value(spelledLike: [height])
      switch (w, h) {
      case (let w?, let h?):
        return Resolution(
          width: try w.whole("the image width"), height: try h.whole("the image height"))
      case (nil, nil): continue
      case (let one?, nil), (nil, let one?):
        throw FormatError(
          .badValue, line: one.line, "one of image width and height without the other")
      }
    }
    let keys = [
      "imagesize", "resolution", "imgsize", "framesize", "dim", "size", "calibdimension",
    ]
    guard let size = try root.value(spelledLike: keys) else { return nil }
    return try resolution(size)
  }

  /// A size as `[width, height]`, `{width, height}`, `{w, h}` or a matrix of two.
  static func resolution(_ size: Node) throws(FormatError) -> Resolution {
    if size.isMapping, !size.has("data") {
      let width = try size.value(spelledLike: ["width", "w"])
      let height = try size.value(spelledLike: ["height", "h"])
      if let width, let height {
        return Resolution(
          width: try width.whole("the image width"), height: try height.whole("the image height"))
      }
    } else if size.isMapping || size.elements != nil || size.looksLikeMatrix {
      let values = try size.matrix("the image size").values
      if values.count == 2 {
        let nodes = values.map { Node(content: .scalar($0.text), line: $0.line) }
        return Resolution(
          width: try nodes[0].whole("the image width"),
          height: try nodes[1].whole("the image height"))
      }
    }
    throw FormatError(
      .badValue, line: size.line,
      "the image size is \(size.kind); expected two numbers, width and height")
  }
}
