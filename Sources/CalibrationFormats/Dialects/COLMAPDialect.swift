internal import CameraModel

/// COLMAP's cameras.txt: `CAMERA_ID MODEL WIDTH HEIGHT PARAMS…`, one camera a line.
///
/// The origin of pixel positions is the corner of the top-left pixel. Source: COLMAP's
/// documentation ("Output format") and `src/colmap/sensor/models.h` for the parameters' order.
enum COLMAPDialect: TextDialect {
  static let name = "COLMAP cameras.txt"

  private static let unsupported = [
    "FOV": "a field-of-view lens (omega)",
    "THIN_PRISM_FISHEYE": "a fisheye lens with tangential and thin-prism terms",
    "RAD_TAN_THIN_PRISM_FISHEYE": "a fisheye lens with tangential and thin-prism terms",
  ]

  private static func fields(_ line: Substring) -> [String]? {
    let words = line.trimmed.words
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    return words
  }

  static func matches(_ source: SourceText) -> Bool {
    for line in source.firstLines {
      guard let words = fields(line) else { continue }
      // ID, a model in capitals, WIDTH, HEIGHT.
      return words.count >= 4 && UInt32(words[0]) != nil
        && words[1].utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") }
        && UInt32(words[2]) != nil && UInt32(words[3]) != nil
    }
    return false
  }

  static func candidates(_ source: SourceText, options: ImportOptions) throws(FormatError)
    -> [Candidate]
  {
    var candidates: [Candidate] = []
    for (number, line) in source.lines {
      guard let words = fields(line) else { continue }
      candidates.append(
        Candidate(words[0]) { () throws(FormatError) in try draft(words, line: number) })
    }
    return candidates
  }

  private static func draft(_ words: [String], line: Int) throws(FormatError) -> CameraDraft {
    guard words.count >= 4 else {
      throw FormatError(
        .syntax, line: line, "expected CAMERA_ID MODEL WIDTH HEIGHT and the parameters")
    }
    let nodes = words.map { Node(content: .scalar($0), line: line) }
    let resolution = Resolution(
      width: try nodes[2].whole("WIDTH"), height: try nodes[3].whole("HEIGHT"))
    let p = try nodes[4...].map { (node) throws(FormatError) in try node.number("a parameter") }
    func expect(_ count: Int) throws(FormatError) {
      guard p.count == count else {
        throw FormatError(
          .badValue, line: line, "\(words[1]) with \(p.count) parameters; expected \(count)")
      }
    }
    guard let zero = DecimalText("0", line: line) else {
      throw FormatError(.badValue, line: line, "no zero")
    }
    let four: [DecimalText]
    let lens: CameraDraft.Lens
    switch words[1] {
    case "SIMPLE_PINHOLE":
      try expect(3)
      (four, lens) = ([p[0], p[0], p[1], p[2]], .undistorted)
    case "PINHOLE":
      try expect(4)
      (four, lens) = (p, .undistorted)
    case "SIMPLE_RADIAL":
      try expect(4)
      (four, lens) = ([p[0], p[0], p[1], p[2]], .init(model: .pinhole, coefficients: [p[3]]))
    case "RADIAL":
      try expect(5)
      (four, lens) = (
        [p[0], p[0], p[1], p[2]], .init(model: .pinhole, coefficients: [p[3], p[4]])
      )
    case "OPENCV":
      try expect(8)
      (four, lens) = (Array(p[..<4]), .init(model: .pinhole, coefficients: Array(p[4...])))
    case "FULL_OPENCV":
      try expect(12)
      four = Array(p[..<4])
      // Without a denominator it is the pinhole model, which COLMAP has no other place for.
      let isPinhole = p[9...].allSatisfy { $0.value == 0 && $0.value.sign == .plus }
      lens =
        isPinhole
        ? .init(model: .pinhole, coefficients: Array(p[4..<9]))
        : .init(model: .rational, coefficients: Array(p[4...]))
    case "OPENCV_FISHEYE":
      try expect(8)
      (four, lens) = (Array(p[..<4]), .init(model: .fisheye, coefficients: Array(p[4...])))
    case "SIMPLE_RADIAL_FISHEYE":
      try expect(4)
      four = [p[0], p[0], p[1], p[2]]
      lens = .init(model: .fisheye, coefficients: [p[3], zero, zero, zero])
    case "RADIAL_FISHEYE":
      try expect(5)
      four = [p[0], p[0], p[1], p[2]]
      lens = .init(model: .fisheye, coefficients: [p[3], p[4], zero, zero])
    case let model:
      let what = unsupported[model].map { "is \($0), which" } ?? "is an unknown model, which"
      throw FormatError(
        .notRepresentable, line: line, "COLMAP's \(model) \(what) has no equivalent here")
    }
    var draft = try CameraDraft(four, lens: lens, resolution: resolution, line: line)
    draft.origin = .corner
    return draft
  }
}
