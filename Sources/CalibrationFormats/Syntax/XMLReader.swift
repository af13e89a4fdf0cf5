internal import CExpat

/// Reads XML through expat to nodes.
///
/// An element with elements in it becomes a mapping (a sequence when they are all called `_`, as
/// OpenCV writes), any other a scalar. Attributes are ignored.
enum XMLReader {
  /// The root element with its name.
  ///
  /// Document type declarations are refused: calibrations have none, and entities declared in one
  /// can stand for billions of characters or for other files.
  static func document(in source: SourceText) throws(FormatError) -> (name: String, root: Node) {
    guard let parser = XML_ParserCreate("UTF-8") else {
      throw FormatError(.unreadable, "expat could not start: out of memory")
    }
    defer { XML_ParserFree(parser) }
    let builder = Builder(parser: parser)
    XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    XML_SetElementHandler(
      parser,
      { data, name, _ in name.flatMap { Builder.of(data)?.begin(String(cString: $0)) } },
      { data, _ in Builder.of(data)?.end() })
    XML_SetCharacterDataHandler(
      parser,
      { data, text, count in
        guard let text, count > 0 else { return }
        text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
          Builder.of(data)?.add(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
      })
    XML_SetStartDoctypeDeclHandler(
      parser, { data, _, _, _, _ in Builder.of(data)?.refuseDocumentType() })
    let bytes = Array(source.text.utf8)
    // Bounded by SourceText.largestFile, so the count fits 32 bits.
    let status = bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) {
        XML_Parse(parser, $0.baseAddress, Int32($0.count), 1)
      }
    }
    let failure = withExtendedLifetime(builder) { builder.failure }
    if let failure { throw failure }
    guard status == XML_STATUS_OK, let (name, root) = builder.root else {
      let problem = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      throw FormatError(
        .syntax, line: Int(clamping: XML_GetCurrentLineNumber(parser)),
        "not valid XML: \(problem ?? "no element"); expected a calibration in XML here")
    }
    return (name, root)
  }

  /// Puts elements together to nodes; lives as long as one parse.
  private final class Builder {
    private struct Open {
      var name: String
      var line: Int
      var text: [UInt8] = []
      var children: [Node.Entry] = []
    }

    private let parser: XML_Parser
    private var open: [Open] = []
    private var count = 0
    private(set) var root: (name: String, root: Node)?
    private(set) var failure: FormatError?

    init(parser: XML_Parser) { self.parser = parser }

    static func of(_ data: UnsafeMutableRawPointer?) -> Builder? {
      data.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
    }

    private var line: Int { Int(clamping: XML_GetCurrentLineNumber(parser)) }

    private func stop(_ code: FormatError.Code, _ message: String) {
      if failure == nil { failure = FormatError(code, line: line, message) }
      _ = XML_StopParser(parser, XML_Bool(0))
    }

    func refuseDocumentType() {
      stop(.syntax, "a document type declaration stands here; calibrations have none: remove it")
    }

    func begin(_ name: String) {
      count += 1
      guard failure == nil, open.count < Node.deepestNesting, count <= Node.mostNodes else {
        return stop(
          .tooLarge, "more than \(Node.deepestNesting) levels or \(Node.mostNodes) elements")
      }
      open.append(Open(name: name, line: line))
    }

    func add(_ bytes: UnsafeBufferPointer<UInt8>) {
      guard failure == nil, !open.isEmpty else { return }
      open[open.count - 1].text.append(contentsOf: bytes)
    }

    func end() {
      guard failure == nil, let element = open.popLast() else { return }
      let text = String(decoding: element.text, as: UTF8.self).trimmed
      let node: Node
      if element.children.isEmpty {
        node = Node(content: text.isEmpty ? .null : .scalar(text), line: element.line)
      } else if element.children.allSatisfy({ $0.key == "_" }) {
        node = Node(content: .sequence(element.children.map(\.value)), line: element.line)
      } else {
        node = Node(content: .mapping(element.children), line: element.line)
      }
      if open.isEmpty {
        root = (element.name, node)
      } else {
        open[open.count - 1].children.append(Node.Entry(key: element.name, value: node))
      }
    }
  }
}
