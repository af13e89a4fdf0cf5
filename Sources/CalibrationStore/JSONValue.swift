/// A JSON text as a tree: objects keep the order of their members, numbers their exact value.
///
/// The package reads and writes JSON with its own few hundred lines because records need what
/// FoundationEssentials' coders do not give: the order of keys in the file, numbers of an array on
/// one line, limits on depth, and an error that names the place in the file.
package enum JSONValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  /// A number without fraction and exponent that fits in `Int`.
  case integer(Int)
  /// Any other number; written as null unless finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A key of an object with its value.
  package struct Member: Sendable, Hashable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }
}

extension JSONValue {
  /// The value of a key; nil where the value is no object or has no such key.
  ///
  /// Setting nil removes the key; setting a new key appends it.
  package subscript(key: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key, value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }

  /// A number, or null where there is none or it is not finite.
  package static func optional(_ value: Double?) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return .number(value)
  }

  /// A text, or null where there is none.
  package static func optional(_ value: String?) -> JSONValue {
    value.map { .string($0) } ?? .null
  }

  /// An array of numbers; null for each that is not finite.
  package static func numbers(_ values: some Sequence<Double>) -> JSONValue {
    .array(values.map { .optional($0) })
  }

  /// What the value is, for messages: `a number`, `text`.
  package var kind: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer, .number: "a number"
    case .string: "text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// What is wrong with a JSON text, and where.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// `line 3, column 14`, or a key path such as `views[3].pose`.
  package var place: String
  /// What was found and what was expected.
  package var message: String
  /// Whether the text ended too early.
  package var isTruncation: Bool

  package init(place: String, message: String, isTruncation: Bool = false) {
    self.place = place
    self.message = message
    self.isTruncation = isTruncation
  }

  package var description: String { place.isEmpty ? message : "\(place): \(message)" }
}
