internal import CameraModel

/// Calib_Results.m of Bouguet's Camera Calibration Toolbox for MATLAB.
///
/// The centre of the top-left pixel is (0, 0), and `kc` has OpenCV's order. Source:
/// the toolbox's documentation, "Description of the calibration parameters".
enum BouguetDialect: TextDialect {
  static let name = "Bouguet toolbox Calib_Results.m"

  static func matches(_ source: SourceText) -> Bool {
    let names = source.firstLines.compactMap { assignment($0)?.name }
    return names.contains("fc") && names.contains("cc")
  }

  /// `name = value;` or `name = [ value ; value ];`, comments cut off.
  private static func assignment(_ line: Substring) -> (name: String, values: [String])? {
    let code = line.prefix { $0 != "%" }
    guard let equals = code.firstIndex(of: "=") else { return nil }
    let name = code[..<equals].trimmed
    let separators: Set<Character> = ["[", "]", ";", " ", "\t", ","]
    let values = code[code.index(after: equals)...].split { separators.contains($0) }
    return (name, values.map(String.init))
  }

  static func candidates(_ source: SourceText, options: ImportOptions) throws(FormatError)
    -> [Candidate]
  {
    let entries = source.lines.compactMap { number, line -> Node.Entry? in
      guard let (name, values) = assignment(line) else { return nil }
      let nodes = values.map { Node(content: .scalar($0), line: number) }
      return .init(key: name, value: Node(content: .sequence(nodes), line: number))
    }
    let root = Node(content: .mapping(entries), line: 1)
    return [Candidate("") { () throws(FormatError) in try draft(root, options: options) }]
  }

  private static func draft(_ root: Node, options: ImportOptions) throws(FormatError) -> CameraDraft
  {
    func numbers(_ key: String, _ count: Int) throws(FormatError) -> [DecimalText] {
      let matrix = try root.required(key, in: "the file").matrix(key)
      guard matrix.values.count == count else {
        throw FormatError(
          .badValue, line: matrix.line,
          "\(key) has \(matrix.values.count) numbers; expected \(count)")
      }
      return matrix.values
    }
    let coefficients = try root.required("kc", in: "the file").matrix("kc")
    let lens = try CameraDraft.Lens(
      .brown, coefficients, choice: options.lensModel, line: coefficients.line)
    var resolution: Resolution?
    if let width = try root.value("nx")?.elements?.first,
      let height = try root.value("ny")?.elements?.first
    {
      resolution = Resolution(width: try width.whole("nx"), height: try height.whole("ny"))
    }
    let fc = try numbers("fc", 2)
    var draft = try CameraDraft(
      fc + numbers("cc", 2), lens: lens, resolution: resolution, line: fc[0].line)
    draft.skew = try numbers("alpha_c", 1)[0]
    return draft
  }
}
