extension CalibrationFile {
  /// The dialects of trees; the first that matches reads the file, so the particular stand before
  /// the general.
  private static let treeDialects: [any TreeDialect.Type] = [
    ROSDialect.self, KalibrDialect.self, KimeraDialect.self, CamodocalDialect.self,
    ORBSLAMDialect.self, BoofCVDialect.self, GyroflowDialect.self, BasaltDialect.self,
    SVODialect.self, MetashapeDialect.self, RealSenseDialect.self, OpenSfMDialect.self,
    OpenCVDialect.self,
  ]

  private static let textDialects: [any TextDialect.Type] = [
    COLMAPDialect.self, MrcalDialect.self, BouguetDialect.self, KalibrReportDialect.self,
    DSODialect.self, KITTIDialect.self, ROSINIDialect.self,
  ]

  /// The cameras of a file with the name of its dialect.
  static func candidates(in source: SourceText, options: ImportOptions) throws(FormatError)
    -> (dialect: String, candidates: [Candidate])
  {
    for dialect in textDialects where dialect.matches(source) {
      return (dialect.name, try dialect.candidates(source, options: options))
    }
    let (syntax, documents) = try trees(in: source)
    var held: [(dialect: String, candidates: [Candidate])] = []
    for document in documents {
      let found = try candidates(in: document, source: source, syntax: syntax, options: options)
      if let found { held.append(found) }
    }
    guard let first = held.first else { throw notACalibration(documents, syntax: syntax) }
    guard held.count == 1 else {
      throw FormatError(
        .chooseCamera,
        "\(held.count) YAML documents (divided by \"---\") hold cameras; put the wanted one into a "
          + "file of its own")
    }
    return first
  }

  /// The cameras of a document with the name of its dialect; nil where it is of none.
  private static func candidates(
    in document: Node, source: SourceText, syntax: String, options: ImportOptions
  ) throws(FormatError) -> (dialect: String, candidates: [Candidate])? {
    if RecordDialect.matches(document) {
      return (RecordDialect.name, try RecordDialect.candidates(source))
    }
    guard let dialect = treeDialects.first(where: { $0.matches(document) }) else { return nil }
    let name = dialect.name == OpenCVDialect.name ? "OpenCV \(syntax)" : dialect.name
    return (name, try dialect.candidates(document, options: options))
  }

  /// A text as trees, with the name of its syntax.
  private static func trees(in source: SourceText) throws(FormatError) -> (String, [Node]) {
    let start = source.text.utf8.first { !SourceText.isBlank($0) }
    switch start {
    case UInt8(ascii: "<"):
      let (name, root) = try XMLReader.document(in: source)
      // OpenCV's root says nothing; other roots name the dialect.
      let isOpenCV = name == "opencv_storage"
      return (
        "XML",
        [isOpenCV ? root : Node(content: .mapping([.init(key: name, value: root)]), line: 1)]
      )
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return ("JSON", [try JSONReader.document(in: source)])
    default:
      return ("YAML", try YAMLReader.documents(in: source))
    }
  }

  private static func notACalibration(_ documents: [Node], syntax: String) -> FormatError {
    let keys = documents.flatMap(\.entries).map(\.key)
    let found =
      keys.isEmpty
      ? "text without keys"
      : "\(syntax) with the keys \(keys.prefix(6).map { String($0.prefix(40)) }.joined(separator: ", "))"
        + (keys.count > 6 ? " …" : "")
    return FormatError(
      .notACalibration,
      "no camera calibration in this file: found \(found); expected a camera matrix and distortion "
        + "coefficients in one of the known dialects (OpenCV, ROS, Kalibr, COLMAP, ORB-SLAM, …)")
  }
}
