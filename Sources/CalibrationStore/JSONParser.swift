extension JSONValue {
  /// Reads a JSON text (RFC 8259, UTF-8, a byte order mark is skipped).
  ///
  /// Refused beyond the standard: keys that stand twice in an object, numbers beyond the range of
  /// `Double`, values nested deeper than `maximumDepth` (the parser recurses).
  ///
  /// - Throws: An error whose place is the line and column.
  package init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
    let result = bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, JSONError> in
      // The parser does not outlive the buffer.
      var parser = JSONParser(bytes: buffer, maximumDepth: maximumDepth)
      do throws(JSONError) {
        return .success(try parser.parseText())
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }
}

/// A recursive-descent parser over the bytes of one JSON text.
///
/// Over a buffer, not an array: look-up is to be fast, and checks of uniqueness and of bounds cost as
/// much as the parsing.
private struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  let maximumDepth: Int
  var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  mutating func parseText() throws(JSONError) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    skipWhitespace()
    guard position < bytes.count else { throw failure("the text is empty") }
    let value = try parseValue(depth: 0)
    skipWhitespace()
    guard position == bytes.count else {
      throw failure("\(found) follows after the end of the text")
    }
    return value
  }

  private mutating func parseValue(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < maximumDepth else {
      throw failure("values are nested deeper than \(maximumDepth) levels")
    }
    guard let byte = peek else { throw failure("\(found) stands where a value was expected") }
    switch byte {
    case UInt8(ascii: "{"): return try parseObject(depth: depth)
    case UInt8(ascii: "["): return try parseArray(depth: depth)
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    case UInt8(ascii: "t"): return try parseWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try parseWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    default: throw failure("\(found) stands where a value was expected")
    }
  }

  private mutating func parseWord(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONError) -> JSONValue {
    let end = position + word.utf8CodeUnitCount
    let (isThere, isCut) = word.withUTF8Buffer { word in
      let rest = bytes[min(position, bytes.count)...].prefix(word.count)
      return (rest.elementsEqual(word), rest.count < word.count && word.starts(with: rest))
    }
    guard isThere else {
      if isCut { position = bytes.count }
      throw failure("\(found) stands where a value was expected")
    }
    position = end
    return value
  }

  private mutating func parseObject(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    var members: [JSONValue.Member] = []
    // Looking through a few keys is quicker than hashing them.
    var keys: Set<String> = []
    skipWhitespace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipWhitespace()
      guard peek == UInt8(ascii: "\"") else {
        throw failure("\(found) stands where a key was expected")
      }
      let start = position
      let key = try parseString()
      let isNew: Bool
      if members.count < 8 {
        isNew = !members.contains { $0.key == key }
      } else {
        if members.count == 8 { keys = Set(members.map(\.key)) }
        isNew = keys.insert(key).inserted
      }
      guard isNew else {
        position = start
        throw failure("the key \"\(key.clipped)\" stands here for the second time")
      }
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else {
        throw failure("\(found) stands where \":\" was expected")
      }
      skipWhitespace()
      members.append(JSONValue.Member(key, try parseValue(depth: depth + 1)))
      skipWhitespace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else {
        throw failure("\(found) stands where \",\" or \"}\" was expected")
      }
    }
  }

  private mutating func parseArray(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    skipWhitespace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      skipWhitespace()
      elements.append(try parseValue(depth: depth + 1))
      skipWhitespace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else {
        throw failure("\(found) stands where \",\" or \"]\" was expected")
      }
    }
  }

  private mutating func parseNumber() throws(JSONError) -> JSONValue {
    let start = position
    var isInteger = true
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if let next = peek, isDigit(next) { throw failure("a number begins with a superfluous 0") }
    } else {
      try takeDigits()
    }
    if take(UInt8(ascii: ".")) {
      isInteger = false
      try takeDigits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try takeDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // "-0" is the double -0, which no integer can hold.
    if isInteger, text != "-0", let value = Int(text) { return .integer(value) }
    // Swift's own conversion is correctly rounded and, unlike strtod, knows no locale.
    guard let value = Double(text), value.isFinite else {
      position = start
      throw failure("the number \(text.clipped) is beyond the range of a double")
    }
    return .number(value)
  }

  private mutating func takeDigits() throws(JSONError) {
    guard let first = peek, isDigit(first) else {
      throw failure("\(found) stands where a digit was expected")
    }
    while let next = peek, isDigit(next) { position += 1 }
  }

  private mutating func parseString() throws(JSONError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw failure("the text that ends here is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"):
        position += 1
        text.append(contentsOf: String(try parseEscape()).utf8)
      case 0..<0x20:
        throw failure("\(found) stands inside a text; it has to be escaped")
      default:
        // What needs no thought is taken at once.
        let start = position
        while let next = peek, next >= 0x20, next != UInt8(ascii: "\""),
          next != UInt8(ascii: "\\")
        {
          position += 1
        }
        text.append(contentsOf: bytes[start..<position])
      }
    }
    throw failure("the file ends inside a text")
  }

  private mutating func parseEscape() throws(JSONError) -> Unicode.Scalar {
    guard let byte = peek else { throw failure("the file ends inside a text") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try parseUnicodeEscape()
    default: throw failure("an escape other than \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
    }
  }

  private mutating func parseUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let first = try takeHexDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // A character beyond U+FFFF is written as two surrogates, high one first.
    guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw failure("half of a surrogate pair")
    }
    let second = try takeHexDigits()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure("half of a surrogate pair") }
    return scalar
  }

  private mutating func takeHexDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("\(found) stands where a hexadecimal digit was expected")
      }
      value = value << 4 + UInt32(digit)
      position += 1
    }
    return value
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipWhitespace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The byte at the position, for messages.
  private var found: String {
    guard let byte = peek else { return "the end of the file" }
    guard (0x21..<0x7F).contains(byte) else {
      return "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "\"\(Character(Unicode.Scalar(byte)))\""
  }

  private func failure(_ message: String) -> JSONError {
    let before = bytes[..<min(position, bytes.count)]
    let line = before.count { $0 == 0x0A } + 1
    let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return JSONError(
      place: "line \(line), column \(column)", message: message,
      isTruncation: position >= bytes.count)
  }
}
