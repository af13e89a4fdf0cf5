/// A value in a JSON text together with the path of keys that led to it, for reading with errors
/// that name the place.
package struct JSONField: Sendable {
  /// The value.
  package let value: JSONValue
  private let path: Path

  /// The root of a JSON text.
  package init(_ root: JSONValue) {
    self.init(root, .root)
  }

  private init(_ value: JSONValue, _ path: Path) {
    self.value = value
    self.path = path
  }

  /// The keys from the root; put together only where an error needs the text.
  private indirect enum Path: Sendable {
    case root
    case key(Path, String)
    case index(Path, Int)

    var text: String {
      switch self {
      case .root: ""
      case .key(.root, let key): key.clipped
      case .key(let parent, let key): parent.text + "." + key.clipped
      case .index(let parent, let index): "\(parent.text)[\(index)]"
      }
    }
  }

  /// The keys from the root, for example `views[3].pose.rotation`; empty for the root.
  package var keyPath: String { path.text }

  /// An error at this place.
  package func failure(_ message: String) -> JSONError {
    JSONError(place: keyPath, message: message)
  }

  private func unexpected(_ expected: String) -> JSONError {
    failure("found \(value.kind), expected \(expected)")
  }

  /// The member of an object.
  package func member(_ key: String) throws(JSONError) -> JSONField {
    guard case .object = value else { throw unexpected("an object") }
    guard let member = value[key] else {
      throw JSONError(place: Path.key(path, key).text, message: "this key is missing")
    }
    return JSONField(member, .key(path, key))
  }

  /// The member of an object; nil where it is absent or null.
  package func optionalMember(_ key: String) throws(JSONError) -> JSONField? {
    guard case .object = value else { throw unexpected("an object") }
    guard let member = value[key], member != .null else { return nil }
    return JSONField(member, .key(path, key))
  }

  /// All members of an object in order.
  package func members() throws(JSONError) -> [(key: String, field: JSONField)] {
    guard case .object(let members) = value else { throw unexpected("an object") }
    return members.map { ($0.key, JSONField($0.value, .key(path, $0.key))) }
  }

  /// The elements of an array.
  package func elements() throws(JSONError) -> [JSONField] {
    guard case .array(let elements) = value else { throw unexpected("an array") }
    return elements.enumerated().map { JSONField($1, .index(path, $0)) }
  }

  /// A text.
  package func string() throws(JSONError) -> String {
    guard case .string(let text) = value else { throw unexpected("text") }
    return text
  }

  /// A truth value.
  package func boolean() throws(JSONError) -> Bool {
    guard case .boolean(let flag) = value else { throw unexpected("true or false") }
    return flag
  }

  /// A whole number within a range.
  package func integer(in range: ClosedRange<Int>) throws(JSONError) -> Int {
    let number: Int? =
      switch value {
      case .integer(let whole): whole
      // Other writers may print 640 as 640.0.
      case .number(let real): Int(exactly: real)
      default: throw unexpected("a whole number")
      }
    guard let number, range.contains(number) else {
      throw failure(
        "found \(value.compactJSONText), expected a whole number from "
          + "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A number; always finite.
  package func number() throws(JSONError) -> Double {
    switch value {
    case .integer(let whole): return Double(whole)
    case .number(let real): return real
    default: throw unexpected("a number")
    }
  }

  /// A number, or NaN where null says that there is none.
  package func numberOrNaN() throws(JSONError) -> Double {
    value == .null ? .nan : try number()
  }

  /// An array of numbers, nil for each null.
  package func optionalNumbers() throws(JSONError) -> [Double?] {
    guard case .array(let elements) = value else { throw unexpected("an array of numbers") }
    var numbers: [Double?] = []
    numbers.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      switch element {
      case .integer(let whole): numbers.append(Double(whole))
      case .number(let real): numbers.append(real)
      case .null: numbers.append(nil)
      default:
        throw JSONError(
          place: "\(keyPath)[\(index)]", message: "found \(element.kind), expected a number")
      }
    }
    return numbers
  }

  /// An array of so many numbers, none of them null.
  package func numbers(count: Int) throws(JSONError) -> [Double] {
    let numbers = try optionalNumbers()
    guard numbers.count == count else {
      throw failure("found \(numbers.count) numbers, expected \(count)")
    }
    let known = numbers.compactMap(\.self)
    guard known.count == count else { throw failure("found null, expected \(count) numbers") }
    return known
  }
}
