extension JSONValue {
  /// The value as JSON text with a newline at its end.
  ///
  /// What fits in `width` columns stands on one line, arrays without objects or arrays inside
  /// always do; other containers take a line for each member, indented by two spaces. Doubles are
  /// written with the fewest digits that read back to the same bits.
  package func jsonText(width: Int = 100) -> String {
    var text = ""
    write(into: &text, indentation: 0, column: 0, width: width)
    text += "\n"
    return text
  }

  /// The value as JSON text on one line without a newline.
  package var compactJSONText: String {
    var text = ""
    writeCompact(into: &text)
    return text
  }

  private var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  private func write(into text: inout String, indentation: Int, column: Int, width: Int) {
    guard isContainer else { return writeCompact(into: &text) }
    if case .array(let elements) = self, !elements.contains(where: \.isContainer) {
      return writeCompact(into: &text)
    }
    var line = ""
    writeCompact(into: &line, limit: width)
    guard column + line.utf8.count > width else {
      text += line
      return
    }
    let inner = "\n" + String(repeating: " ", count: indentation + 2)
    let outer = "\n" + String(repeating: " ", count: indentation)
    var separator = ""
    switch self {
    case .array(let elements):
      text += "["
      for element in elements {
        text += separator + inner
        separator = ","
        element.write(
          into: &text, indentation: indentation + 2, column: indentation + 2, width: width)
      }
      text += outer + "]"
    case .object(let members):
      text += "{"
      for member in members {
        text += separator + inner
        separator = ","
        var key = ""
        JSONValue.writeString(member.key, into: &key)
        key += ": "
        text += key
        member.value.write(
          into: &text, indentation: indentation + 2, column: indentation + 2 + key.utf8.count,
          width: width)
      }
      text += outer + "}"
    default: break
    }
  }

  /// Writes on one line; gives up beyond `limit` bytes, so that trying costs no more than a line.
  private func writeCompact(into text: inout String, limit: Int = .max) {
    guard text.utf8.count <= limit else { return }
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value.isFinite ? value.description : "null"
    case .string(let value): JSONValue.writeString(value, into: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        element.writeCompact(into: &text, limit: limit)
        if text.utf8.count > limit { return }
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += ", " }
        JSONValue.writeString(member.key, into: &text)
        text += ": "
        member.value.writeCompact(into: &text, limit: limit)
        if text.utf8.count > limit { return }
      }
      text += "}"
    }
  }

  private static func writeString(_ value: String, into text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Control characters must be escaped; 7F–9F need not, but would steer a terminal.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
