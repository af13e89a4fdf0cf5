internal import CameraModel

/// Kalibr's text report (`results-cam.txt`): parameters with deviations, eight decimals, no size.
enum KalibrReportDialect: TextDialect {
  static let name = "Kalibr text report"

  static func matches(_ source: SourceText) -> Bool {
    source.firstLines.contains { $0.trimmed == "Camera-system parameters:" }
  }

  /// A camera's lines: what follows `cam0 (/topic):`.
  private struct Section {
    var id: String
    var line: Int
    var values: [Node.Entry] = []
  }

  private static func sections(_ source: SourceText) -> [Section] {
    var sections: [Section] = []
    for (number, line) in source.lines {
      let text = line.trimmed
      if text.hasPrefix("cam"), text.hasSuffix(":"), let end = text.firstIndex(of: " ") {
        sections.append(Section(id: String(text[..<end]), line: number))
      } else if let colon = text.firstIndex(of: ":"), !sections.isEmpty {
        let key = String(text[..<colon])
        let value = text[text.index(after: colon)...].trimmed
        sections[sections.count - 1].values.append(
          .init(key: key, value: Node(content: .scalar(value), line: number)))
      }
    }
    return sections.filter { section in section.values.contains { $0.key == "projection" } }
  }

  static func candidates(_ source: SourceText, options: ImportOptions) throws(FormatError)
    -> [Candidate]
  {
    let sections = sections(source)
    guard !sections.isEmpty else {
      throw FormatError(.badValue, "a Kalibr report without a camera's \"projection\"")
    }
    return sections.map { section in
      Candidate(section.id) {
        () throws(FormatError) in try draft(section, options: options)
      }
    }
  }

  private static func draft(_ section: Section, options: ImportOptions) throws(FormatError)
    -> CameraDraft
  {
    let root = Node(content: .mapping(section.values), line: section.line)
    let type = try root.required("type", in: section.id)
    let stated: StatedLens
    // The class's name stands at the end of a module path.
    switch try type.string("type").split(whereSeparator: { ".'<>".contains($0) }).last {
    case "DistortedPinholeCameraGeometry": stated = .brown
    case "EquidistantDistortedPinholeCameraGeometry", "EquidistantPinholeCameraGeometry":
      stated = .fisheye
    default:
      throw FormatError(
        .notRepresentable, line: type.line,
        "Kalibr's camera type is \(type.kind); only its pinhole with radtan or equidistant "
          + "distortion has an equivalent here")
    }
    let (four, fourSigma) = try numbers("projection", in: root, section: section.id)
    let (coefficients, sigma) = try numbers("distortion", in: root, section: section.id)
    guard coefficients.count == 4 else {
      throw FormatError(
        .badValue, line: type.line, "\(coefficients.count) distortion coefficients; expected 4")
    }
    let lens = try CameraDraft.Lens(
      stated,
      MatrixNode(rows: 1, columns: 4, values: coefficients, line: type.line),
      choice: options.lensModel, line: type.line)
    var draft = try CameraDraft(four, lens: lens, resolution: nil, line: section.line)
    let names = lens.model.parameterNames
    for (name, value) in zip(names, fourSigma + sigma) {
      draft.standardDeviations[name] = value.value
    }
    draft.notices.append(
      "the report rounds its numbers to eight decimals; the camchain has them all")
    return draft
  }

  /// `[a b c d] +- [e f g h]`.
  private static func numbers(_ key: String, in root: Node, section: String) throws(FormatError)
    -> ([DecimalText], [DecimalText])
  {
    let node = try root.required(key, in: section)
    let parts = try node.string(key).split(separator: "+-", maxSplits: 1).map {
      $0.split { "[], ".contains($0) }.map(String.init)
    }
    guard parts.count == 2, parts[0].count == parts[1].count else {
      throw FormatError(
        .badValue, line: node.line, "\(key) is \(node.kind); expected [numbers] +- [deviations]")
    }
    let lists = try parts.map { (words) throws(FormatError) in
      try words.map { (word) throws(FormatError) in
        try Node(content: .scalar(word), line: node.line).number("\(section).\(key)")
      }
    }
    return (lists[0], lists[1])
  }
}
