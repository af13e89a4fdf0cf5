internal import CYAML

/// Reads YAML through libyaml's events, with OpenCV's deviations put right first.
enum YAMLReader {
  /// The documents of a YAML text.
  ///
  /// Aliases are refused (a few of them can stand for billions of values), tags are ignored
  /// (`!!opencv-matrix` says nothing that the keys do not say), depth and number of values bounded.
  static func documents(in source: SourceText) throws(FormatError) -> [Node] {
    var builder = Builder()
    var failure: FormatError?
    let text = standardYAML(source.text)
    var bytes = Array(text.utf8)
    // libyaml keeps pointers into its own parser: it must not move.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) != 0 else {
      throw FormatError(.unreadable, "libyaml could not start: out of memory")
    }
    defer { yaml_parser_delete(parser) }
    bytes.withUnsafeMutableBufferPointer { buffer in
      yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      do throws(FormatError) {
        while try builder.take(nextEvent(of: parser)) {}
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return builder.documents
  }

  /// OpenCV's `%YAML:1.0` is no YAML directive, and its own reader needs no blank after a colon
  /// (`Viewer.PointSize:2` in ORB-SLAM's files).
  private static func standardYAML(_ text: String) -> String {
    guard text.hasPrefix("%YAML") else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let rest = lines.dropFirst()
    // The directive changes nothing for what is read here, and libyaml refuses 1.0.
    guard text.hasPrefix("%YAML:") else { return "\n" + rest.joined(separator: "\n") }
    return "\n" + rest.map { withBlankAfterColon($0) }.joined(separator: "\n")
  }

  private static func withBlankAfterColon(_ line: Substring) -> Substring {
    let bytes = line.utf8
    let start = bytes.drop { $0 == 0x20 }
    let key = start.prefix {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
    }
    let after = bytes[key.endIndex...]
    guard let first = key.first, !(0x30...0x39).contains(first), after.first == UInt8(ascii: ":"),
      let next = after.dropFirst().first,
      (0x30...0x39).contains(next) || next == UInt8(ascii: "-") || next == UInt8(ascii: "\"")
    else { return line }
    return line[..<after.startIndex] + ": " + line[after.index(after: after.startIndex)...]
  }

  /// An event of the parser, copied out of libyaml's memory.
  enum Event {
    case scalar(String, plain: Bool, line: Int)
    case sequenceStart(line: Int)
    case mappingStart(line: Int)
    case containerEnd
    case documentEnd
    case streamEnd
    case other
  }

  private static func nextEvent(of parser: UnsafeMutablePointer<yaml_parser_t>)
    throws(FormatError) -> Event
  {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) != 0 else {
      let problem = parser.pointee.problem.map { String(cString: $0) } ?? "unknown problem"
      let line = Int(clamping: parser.pointee.problem_mark.line) + 1
      throw FormatError(
        .syntax, line: line, "not valid YAML: \(problem); expected a calibration in YAML here")
    }
    defer { yaml_event_delete(&event) }
    let line = Int(clamping: event.start_mark.line) + 1
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return .scalar(
        String(decoding: bytes, as: UTF8.self),
        plain: scalar.style == YAML_PLAIN_SCALAR_STYLE, line: line)
    case YAML_SEQUENCE_START_EVENT: return .sequenceStart(line: line)
    case YAML_MAPPING_START_EVENT: return .mappingStart(line: line)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .containerEnd
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_STREAM_END_EVENT: return .streamEnd
    case YAML_ALIAS_EVENT:
      throw FormatError(
        .syntax, line: line,
        "a YAML alias (*name) stands here; calibrations are read without aliases: write the value out"
      )
    default: return .other
    }
  }
}

extension YAMLReader {
  /// Puts events together to nodes, without recursion.
  private struct Builder {
    private enum Open {
      case sequence([Node], line: Int)
      case mapping([Node.Entry], key: String?, line: Int)
    }

    var documents: [Node] = []
    private var open: [Open] = []
    private var count = 0

    /// Takes an event in; false after the last.
    mutating func take(_ event: Event) throws(FormatError) -> Bool {
      switch event {
      case .scalar(let text, let plain, let line):
        let isNull = plain && (text.isEmpty || text == "~" || text == "null")
        try add(Node(content: isNull ? .null : .scalar(text), line: line), text: text)
      case .sequenceStart(let line): try begin(.sequence([], line: line), line: line)
      case .mappingStart(let line): try begin(.mapping([], key: nil, line: line), line: line)
      case .containerEnd:
        switch open.popLast() {
        case .sequence(let elements, let line):
          try add(Node(content: .sequence(elements), line: line), text: nil)
        case .mapping(let entries, _, let line):
          try add(Node(content: .mapping(entries), line: line), text: nil)
        case nil: break
        }
      case .documentEnd: open = []
      case .streamEnd: return false
      case .other: break
      }
      return true
    }

    private mutating func begin(_ container: Open, line: Int) throws(FormatError) {
      guard open.count < Node.deepestNesting else {
        throw FormatError(
          .tooLarge, line: line, "values nested deeper than \(Node.deepestNesting) levels")
      }
      open.append(container)
    }

    private mutating func add(_ node: Node, text: String?) throws(FormatError) {
      count += 1
      guard count <= Node.mostNodes else {
        throw FormatError(.tooLarge, line: node.line, "more than \(Node.mostNodes) values")
      }
      // Taken out and put back, so that the arrays are not copied for each element.
      switch open.popLast() {
      case nil: documents.append(node)
      case .sequence(var elements, let line):
        elements.append(node)
        open.append(.sequence(elements, line: line))
      case .mapping(var entries, let key?, let line):
        entries.append(Node.Entry(key: key, value: node))
        open.append(.mapping(entries, key: nil, line: line))
      case .mapping(let entries, nil, let line):
        guard let text else {
          throw FormatError(
            .syntax, line: node.line, "\(node.kind) stands as a key; expected a word")
        }
        open.append(.mapping(entries, key: text, line: line))
      }
    }
  }
}
