/// What an option's value may be: how it is read, checked, described and completed.
package struct ValueKind<Value: Sendable>: Sendable {
  /// The word that stands for the value in help, for example `WIDTHxHEIGHT`.
  package var metavariable: String
  /// What a shell offers as completions.
  package var completion: ValueCompletion
  /// Reads a value from its text.
  package var read: @Sendable (String) throws(ValueError) -> Value
  /// The text that reads as the value, for defaults in help.
  package var describe: @Sendable (Value) -> String

  /// Creates a kind of value.
  package init(
    metavariable: String, completion: ValueCompletion = .none,
    describe: @escaping @Sendable (Value) -> String = { "\($0)" },
    read: @escaping @Sendable (String) throws(ValueError) -> Value
  ) {
    self.metavariable = metavariable
    self.completion = completion
    self.describe = describe
    self.read = read
  }

  /// The same kind of text read as another type.
  package func map<Other: Sendable>(
    describe: @escaping @Sendable (Other) -> String = { "\($0)" },
    _ transform: @escaping @Sendable (Value) throws(ValueError) -> Other
  ) -> ValueKind<Other> {
    let read = self.read
    return ValueKind<Other>(
      metavariable: metavariable, completion: completion, describe: describe
    ) { (text) throws(ValueError) in try transform(read(text)) }
  }

  /// The same kind under another word in help.
  package func named(_ metavariable: String) -> ValueKind {
    var copy = self
    copy.metavariable = metavariable
    return copy
  }
}

/// What a shell offers where a value or operand stands.
package enum ValueCompletion: Sendable, Hashable {
  /// Nothing.
  case none
  /// Files and folders.
  case files
  /// Folders.
  case folders
  /// These words.
  case words([String])
}

extension ValueKind where Value == String {
  /// Any text that is not empty.
  package static func text(_ metavariable: String) -> ValueKind {
    ValueKind(metavariable: metavariable, describe: { $0 }, read: nonEmpty)
  }

  /// The path of a file.
  ///
  /// Whether it exists shows when it is used: that is status 66, not 64.
  package static var file: ValueKind {
    ValueKind(metavariable: "FILE", completion: .files, describe: { $0 }, read: nonEmpty)
  }

  /// The path of a folder.
  package static var folder: ValueKind {
    ValueKind(metavariable: "DIR", completion: .folders, describe: { $0 }, read: nonEmpty)
  }

  @Sendable private static func nonEmpty(_ text: String) throws(ValueError) -> String {
    guard !text.isEmpty else { throw ValueError("it must not be empty") }
    guard !text.utf8.contains(0) else { throw ValueError("it must not contain a zero byte") }
    return text
  }
}

extension ValueKind where Value == Int {
  /// A whole number in `range`.
  package static func count(_ metavariable: String = "N", in range: ClosedRange<Int>) -> ValueKind {
    ValueKind(metavariable: metavariable) { (text) throws(ValueError) in
      guard let value = decimal(text), range.contains(value) else {
        throw ValueError(
          range.upperBound == Int.max
            ? "it must be a whole number of at least \(range.lowerBound)"
            : "it must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }
  }
}

extension ValueKind {
  /// One of the named values, in capitals or not; the names are offered as completions.
  package static func choice(
    _ metavariable: String, _ choices: [(name: String, value: Value)]
  ) -> ValueKind where Value: Equatable {
    let names = choices.map(\.name)
    var kind = ValueKind(metavariable: metavariable, completion: .words(names)) {
      (text) throws(ValueError) in
      let wanted = text.lowercased()
      // In capitals or not: MJPG and mjpg are one format.
      let fitting =
        choices.first { $0.name == text } ?? choices.first { $0.name.lowercased() == wanted }
      if let fitting { return fitting.value }
      let near = nearMiss(to: text, among: names).map { "; did you mean \(quoted($0))?" } ?? ""
      throw ValueError("it must be \(alternatives(names))\(near)")
    }
    kind.describe = { value in choices.first { $0.value == value }?.name ?? "\(value)" }
    return kind
  }

  /// One of the cases of an enumeration of strings.
  package static func choice(_ metavariable: String) -> ValueKind
  where Value: CaseIterable & RawRepresentable & Equatable, Value.RawValue == String {
    choice(metavariable, Value.allCases.map { ($0.rawValue, $0) })
  }
}

/// `a`, `a or b`, `a, b or c`.
func alternatives(_ names: [String]) -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " or " + last
}

/// Reads an unsigned decimal number of ASCII digits only; nil for anything else and for overflow.
func decimal(_ text: some StringProtocol) -> Int? {
  guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int(text)
}
