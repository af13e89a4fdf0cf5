/// A value in a structured file, whatever its syntax: YAML, XML, JSON and INI all become nodes.
struct Node: Sendable, Hashable {
  /// The three shapes of a value, and the absence of one.
  enum Content: Sendable, Hashable {
    /// `null`, `~` or nothing.
    case null
    /// Text, a number as its text.
    case scalar(String)
    /// Values in order.
    case sequence([Node])
    /// Values by key, in the file's order; a key may stand twice until it is asked for.
    case mapping([Entry])
  }

  /// A key with its value.
  struct Entry: Sendable, Hashable {
    var key: String
    var value: Node
  }

  var content: Content
  /// The line on which the value begins, from 1.
  var line: Int

  /// The deepest nesting that is read: calibration files nest below ten.
  static let deepestNesting = 64
  /// The most values in a file: half a million corner points.
  static let mostNodes = 1 << 21
}

extension Node {
  /// The entries of a mapping; none for everything else.
  var entries: [Entry] {
    if case .mapping(let entries) = content { entries } else { [] }
  }

  /// The elements of a sequence; nil for everything else.
  var elements: [Node]? {
    if case .sequence(let elements) = content { elements } else { nil }
  }

  /// The text of a scalar; nil for everything else.
  var text: String? {
    if case .scalar(let text) = content { text } else { nil }
  }

  var isMapping: Bool { if case .mapping = content { true } else { false } }
  var isNull: Bool { content == .null }

  /// What kind of value it is, in words.
  var kind: String {
    switch content {
    case .null: "nothing"
    case .scalar(let text): "\"\(text.prefix(40))\""
    case .sequence(let elements): "a list of \(elements.count)"
    case .mapping(let entries): "a mapping of \(entries.count) keys"
    }
  }

  /// Whether a mapping has `key` with a value, spelled exactly so.
  func has(_ key: String) -> Bool { entries.contains { $0.key == key && !$0.value.isNull } }

  /// The value of `key`, spelled exactly so; nil when absent or null.
  ///
  /// - Throws: when the key stands twice: which of the two is meant is not ours to guess.
  func value(_ key: String) throws(FormatError) -> Node? {
    try only(entries.filter { $0.key == key })
  }

  /// The value of a key that must be there.
  func required(_ key: String, in what: String) throws(FormatError) -> Node {
    guard let value = try value(key) else {
      throw FormatError(.badValue, line: line, "\(what) has no \"\(key)\"")
    }
    return value
  }

  /// The value of the first of `keys` that is there, compared without case, `_`, `-`, `.` and spaces.
  func value(spelledLike keys: [String]) throws(FormatError) -> Node? {
    for key in keys {
      if let found = try only(entries.filter { Self.folded($0.key) == key }) { return found }
    }
    return nil
  }

  private func only(_ found: [Entry]) throws(FormatError) -> Node? {
    if found.count > 1, Set(found.map(\.value.content)).count > 1 {
      throw FormatError(
        .badValue, line: found[1].value.line,
        "\"\(found[1].key)\" stands twice with different values (the first in line "
          + "\(found[0].value.line)): remove one")
    }
    guard let value = found.first?.value, !value.isNull else { return nil }
    return value
  }

  /// A key in lower case and without `_`, `-`, `.` and spaces.
  static func folded(_ key: String) -> String {
    String(
      decoding: key.utf8.compactMap { byte -> UInt8? in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " "): nil
        default: byte
        }
      }, as: UTF8.self)
  }
}

extension Node {
  /// This scalar as a finite decimal number.
  func number(_ name: String) throws(FormatError) -> DecimalText {
    guard let text, let number = DecimalText(text, line: line) else {
      throw FormatError(
        .badValue, line: line, "\(name) is \(kind); expected a finite decimal number")
    }
    return number
  }

  /// This scalar as a whole number in 0…`Int32.max`, `640` or `640.0`.
  func whole(_ name: String) throws(FormatError) -> Int {
    let number = try number(name)
    guard number.value >= 0, let whole = Int32(exactly: number.value) else {
      throw FormatError(.badValue, line: line, "\(name) is \(kind); expected a whole number")
    }
    return Int(whole)
  }

  /// This scalar as text.
  func string(_ name: String) throws(FormatError) -> String {
    guard let text else {
      throw FormatError(.badValue, line: line, "\(name) is \(kind); expected text")
    }
    return text
  }
}
