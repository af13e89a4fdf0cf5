internal import CameraModel

/// DSO's camera.txt: parameters on the first line, the size of the images on the second.
///
/// Four numbers and ω (field-of-view model, here only ω = 0), or a model's name with eight numbers.
/// A focal length below 1 is relative to the image size and refused: DSO scales it. Source:
/// github.com/JakobEngel/dso, README, section 3.1 and `Undistort.cpp`.
enum DSODialect: TextDialect {
  static let name = "DSO camera.txt"

  private static let models = ["Pinhole", "RadTan", "EquiDistant", "KannalaBrandt", "FOV"]

  static func matches(_ source: SourceText) -> Bool {
    let lines = source.firstLines.prefix(2).map { $0.trimmed.words }
    guard lines.count == 2, lines[1].count == 2, lines[1].allSatisfy({ UInt32($0) != nil }),
      let first = lines[0].first
    else { return false }
    if models.contains(first) { return true }
    return lines[0].count == 5 && lines[0].allSatisfy { DecimalText($0, line: 1) != nil }
  }

  static func candidates(_ source: SourceText, options: ImportOptions) throws(FormatError)
    -> [Candidate]
  {
    [Candidate("") { () throws(FormatError) in try draft(source) }]
  }

  private static func draft(_ source: SourceText) throws(FormatError) -> CameraDraft {
    let lines = source.firstLines.prefix(2).map { $0.trimmed.words }
    var words = lines[0]
    let model = models.contains(words[0]) ? words.removeFirst() : "FOV"
    let numbers = try words.map { (word) throws(FormatError) in
      try Node(content: .scalar(word), line: 1).number("a parameter")
    }
    let expected = ["Pinhole": 5, "FOV": 5][model] ?? 8
    guard numbers.count == expected else {
      throw FormatError(
        .badValue, line: 1, "\(model) with \(numbers.count) parameters; expected \(expected)")
    }
    let lens: CameraDraft.Lens
    switch model {
    case "Pinhole", "FOV":
      guard numbers[4].value == 0 else {
        throw FormatError(
          .notRepresentable, line: 1,
          "a field-of-view lens (omega \(numbers[4].text)) has no equivalent here; only omega 0, a "
            + "lens without distortion, has")
      }
      lens = .undistorted
    case "RadTan": lens = .init(model: .pinhole, coefficients: Array(numbers[4...]))
    case "EquiDistant": lens = .init(model: .fisheye, coefficients: Array(numbers[4...]))
    default:
      throw FormatError(
        .notRepresentable, line: 1,
        "DSO's \(model) is not read here; expected Pinhole, RadTan or EquiDistant")
    }
    // DSO's own rule for which numbers are relative to the image size.
    guard numbers[2].value >= 1, numbers[3].value >= 1 else {
      throw FormatError(
        .notRepresentable, line: 1,
        "the numbers are relative to the image size; expected pixels, which need no rounding")
    }
    let size = try lines[1].map { (word) throws(FormatError) in
      try Node(content: .scalar(word), line: 2).whole("the image size")
    }
    return try CameraDraft(
      Array(numbers[..<4]), lens: lens, resolution: Resolution(width: size[0], height: size[1]),
      line: 1)
  }
}
