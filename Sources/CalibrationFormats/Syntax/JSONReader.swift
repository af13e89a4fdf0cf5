/// Reads JSON, or a Python literal as mrcal writes it, to nodes; numbers keep their text.
struct JSONReader {
  /// The two notations.
  enum Style {
    /// RFC 8259; `NaN` and `Infinity`, which Python writes, are words that no number accepts.
    case json
    /// A Python literal: also single quotes, `b'…'`, comments, and commas before closing brackets.
    case pythonLiteral
  }

  private var bytes: ArraySlice<UInt8>
  private var line = 1
  private var count = 0
  private let style: Style

  private init(_ text: String, style: Style) {
    bytes = ArraySlice(text.utf8)
    self.style = style
  }

  /// The one value that `source` consists of.
  static func document(in source: SourceText, style: Style = .json) throws(FormatError) -> Node {
    var reader = JSONReader(source.text, style: style)
    let node = try reader.value(depth: 0)
    reader.skipBlank()
    guard reader.bytes.isEmpty else { throw reader.unexpected("the end of the file") }
    return node
  }

  private func unexpected(_ expected: String) -> FormatError {
    let found =
      bytes.isEmpty
      ? "the end of the file" : "\"\(String(decoding: bytes.prefix(12), as: UTF8.self))\""
    let notation = style == .json ? "JSON" : "a Python literal"
    return FormatError(
      .syntax, line: line, "not valid \(notation): found \(found), expected \(expected)")
  }

  private mutating func skipBlank() {
    while let byte = bytes.first {
      if SourceText.isBlank(byte) {
        if byte == UInt8(ascii: "\n") { line += 1 }
        bytes.removeFirst()
      } else if style == .pythonLiteral, byte == UInt8(ascii: "#") {
        bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
      } else {
        return
      }
    }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipBlank()
    guard bytes.first == UInt8(ascii: character) else { return false }
    bytes.removeFirst()
    return true
  }

  private mutating func value(depth: Int) throws(FormatError) -> Node {
    skipBlank()
    count += 1
    guard depth < Node.deepestNesting, count <= Node.mostNodes else {
      throw FormatError(
        .tooLarge, line: line,
        "more than \(Node.deepestNesting) levels or \(Node.mostNodes) values")
    }
    let start = line
    switch bytes.first {
    case UInt8(ascii: "{"):
      bytes.removeFirst()
      return Node(content: .mapping(try entries(depth: depth + 1)), line: start)
    case UInt8(ascii: "["):
      bytes.removeFirst()
      return Node(content: .sequence(try elements(closing: "]", depth: depth + 1)), line: start)
    case UInt8(ascii: "(") where style == .pythonLiteral:
      bytes.removeFirst()
      return Node(content: .sequence(try elements(closing: ")", depth: depth + 1)), line: start)
    default:
      if let text = try quoted() { return Node(content: .scalar(text), line: start) }
      return Node(content: try word(), line: start)
    }
  }

  private mutating func entries(depth: Int) throws(FormatError) -> [Node.Entry] {
    var entries: [Node.Entry] = []
    if skip("}") { return [] }
    while true {
      skipBlank()
      guard let key = try quoted() else { throw unexpected("a key in quotes") }
      guard skip(":") else { throw unexpected("\":\"") }
      entries.append(Node.Entry(key: key, value: try value(depth: depth)))
      let comma = skip(",")
      if (!comma || style == .pythonLiteral) && skip("}") { return entries }
      guard comma else { throw unexpected("\",\" or \"}\"") }
    }
  }

  private mutating func elements(closing: Unicode.Scalar, depth: Int) throws(FormatError) -> [Node]
  {
    var elements: [Node] = []
    if skip(closing) { return [] }
    while true {
      elements.append(try value(depth: depth))
      let comma = skip(",")
      if (!comma || style == .pythonLiteral) && skip(closing) { return elements }
      guard comma else { throw unexpected("\",\" or \"\(closing)\"") }
    }
  }

  /// A number or one of the bare words; checked where a number is asked for.
  private mutating func word() throws(FormatError) -> Node.Content {
    let word = bytes.prefix {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
    let text = String(decoding: word, as: UTF8.self)
    let known = ["true", "false", "null", "NaN", "Infinity", "-Infinity", "True", "False", "None"]
    guard DecimalText(text, line: line) != nil || known.contains(text) || isHugeNumber(text) else {
      throw unexpected("a value")
    }
    bytes.removeFirst(word.count)
    return text == "null" || text == "None" ? .null : .scalar(text)
  }

  /// A number beyond `Double`'s range is no syntax error; it is refused where it is used.
  private func isHugeNumber(_ text: String) -> Bool {
    text.first.map { $0 == "-" || ("0"..."9").contains($0) } ?? false
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
      }
  }
}

extension JSONReader {
  /// A string if one begins here.
  private mutating func quoted() throws(FormatError) -> String? {
    if style == .pythonLiteral, bytes.first == UInt8(ascii: "b"),
      let next = bytes.dropFirst().first, next == UInt8(ascii: "'") || next == UInt8(ascii: "\"")
    {
      bytes.removeFirst()
    }
    guard let quote = bytes.first,
      quote == UInt8(ascii: "\"") || (style == .pythonLiteral && quote == UInt8(ascii: "'"))
    else { return nil }
    bytes.removeFirst()
    var content: [UInt8] = []
    while let byte = bytes.popFirst() {
      switch byte {
      case quote: return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): content += Array(String(try escaped()).utf8)
      case 0..<0x20: throw unexpected("no control character within a string")
      default: content.append(byte)
      }
    }
    throw unexpected("a closing quote")
  }

  /// The character that an escape stands for; its backslash is already taken.
  private mutating func escaped() throws(FormatError) -> Character {
    guard let byte = bytes.popFirst() else { throw unexpected("an escape") }
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"):
      return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(4)
      guard (0xD800..<0xDC00).contains(unit) else { return try character(unit) }
      guard bytes.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
        throw unexpected("the second half of a surrogate pair")
      }
      bytes.removeFirst(2)
      let low = try hexadecimal(4)
      guard (0xDC00..<0xE000).contains(low) else {
        throw unexpected("the second half of a surrogate pair")
      }
      return try character(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
    case UInt8(ascii: "x") where style == .pythonLiteral: return try character(hexadecimal(2))
    default: throw unexpected("an escape such as \\n")
    }
  }

  private mutating func hexadecimal(_ count: Int) throws(FormatError) -> UInt32 {
    let digits = bytes.prefix(count)
    guard digits.count == count, digits.first != UInt8(ascii: "+"),
      digits.first != UInt8(ascii: "-"),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw unexpected("\(count) hexadecimal digits") }
    bytes.removeFirst(count)
    return value
  }

  private func character(_ value: UInt32) throws(FormatError) -> Character {
    guard let scalar = Unicode.Scalar(value) else { throw unexpected("a Unicode character") }
    return Character(scalar)
  }
}
