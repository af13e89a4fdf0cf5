import CalibrationStore

/// Checks a value against a JSON Schema (draft 2020-12): the keywords that docs/record.schema.json uses.
///
/// A keyword that is not known is an error of the schema, so that no rule is skipped silently.
struct JSONSchemaValidator {
  let root: JSONValue

  /// What breaks the rules; empty where nothing does.
  func errors(_ value: JSONValue) -> [String] { errors(value, root, "") }

  private func errors(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard case .object(let rules) = schema else { return ["\(path): the schema is no object"] }
    return rules.flatMap { rule -> [String] in
      switch rule.key {
      case "$schema", "title", "description", "$defs": return []
      case "$ref": return reference(rule.value).map { errors(value, $0, path) } ?? ["no \(rule)"]
      case "properties": return properties(value, rule.value, path)
      case "additionalProperties": return additional(value, rule.value, schema, path)
      case "required":
        guard case .object = value else { return [] }
        return texts(rule.value).filter { value[$0] == nil }.map { "\(path).\($0) is missing" }
      case "items":
        guard case .array(let elements) = value else { return [] }
        return elements.enumerated().flatMap { errors($1, rule.value, "\(path)[\($0)]") }
      case "anyOf":
        guard case .array(let choices) = rule.value else { return ["anyOf"] }
        return choices.contains { errors(value, $0, path).isEmpty } ? [] : ["\(path): anyOf"]
      default:
        guard let isMet = isMet(rule, value) else { return ["unknown keyword \(rule.key)"] }
        return isMet ? [] : ["\(path): \(rule.key) \(rule.value.compactJSONText)"]
      }
    }
  }

  /// Whether a rule for the value itself is met; nil for unknown rules.
  private func isMet(_ rule: JSONValue.Member, _ value: JSONValue) -> Bool? {
    switch rule.key {
    case "type":
      let types = texts(rule.value)
      return types.contains { type in
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("null", .null),
          ("boolean", .boolean), ("integer", .integer), ("number", .integer), ("number", .number):
          true
        default: false
        }
      }
    case "const": return value == rule.value
    case "enum":
      guard case .array(let values) = rule.value else { return nil }
      return values.contains(value)
    case "minimum": return number(value).map { $0 >= number(rule.value) ?? .nan } ?? true
    case "maximum": return number(value).map { $0 <= number(rule.value) ?? .nan } ?? true
    case "exclusiveMinimum": return number(value).map { $0 > number(rule.value) ?? .nan } ?? true
    case "minItems": return count(value).map { $0 >= number(rule.value) ?? .nan } ?? true
    case "maxItems": return count(value).map { $0 <= number(rule.value) ?? .nan } ?? true
    case "minLength": return length(value).map { $0 >= number(rule.value) ?? .nan } ?? true
    case "maxLength": return length(value).map { $0 <= number(rule.value) ?? .nan } ?? true
    case "pattern":
      guard case .string(let text) = value, let pattern = texts(rule.value).first,
        let regex = try? Regex(pattern)
      else { return false }
      return text.firstMatch(of: regex) != nil
    default: return nil
    }
  }

  private func properties(_ value: JSONValue, _ rules: JSONValue, _ path: String) -> [String] {
    guard case .object(let members) = rules else { return ["properties"] }
    return members.flatMap { member in
      value[member.key].map { errors($0, member.value, path + "." + member.key) } ?? []
    }
  }

  private func additional(
    _ value: JSONValue, _ rule: JSONValue, _ schema: JSONValue, _ path: String
  ) -> [String] {
    guard case .object(let members) = value else { return [] }
    let others = members.filter { schema["properties"]?[$0.key] == nil }
    if rule == .boolean(false) { return others.map { "\(path).\($0.key) is not allowed" } }
    return others.flatMap { errors($0.value, rule, path + "." + $0.key) }
  }

  private func reference(_ rule: JSONValue) -> JSONValue? {
    guard let text = texts(rule).first, text.hasPrefix("#/") else { return nil }
    return text.dropFirst(2).split(separator: "/").reduce(root as JSONValue?) { $0?[String($1)] }
  }

  private func texts(_ value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap { texts($0) }
    default: []
    }
  }

  private func number(_ value: JSONValue) -> Double? {
    switch value {
    case .integer(let whole): Double(whole)
    case .number(let real): real
    default: nil
    }
  }

  private func count(_ value: JSONValue) -> Double? {
    if case .array(let elements) = value { Double(elements.count) } else { nil }
  }

  private func length(_ value: JSONValue) -> Double? {
    if case .string(let text) = value { Double(text.unicodeScalars.count) } else { nil }
  }
}
