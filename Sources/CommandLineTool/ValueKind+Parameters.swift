/// A parameter of a lens by name, perhaps with a value: `k3`, or `fx=1400`.
package struct NamedValue: Sendable, Hashable {
  /// The name as typed.
  package var name: String
  /// The value; nil where none was given.
  package var value: Double?

  /// Creates a pair.
  package init(name: String, value: Double?) {
    self.name = name
    self.value = value
  }
}

/// A parameter of a lens that is about a value: `fx=1400:20`.
package struct NamedPrior: Sendable, Hashable {
  /// The name as typed.
  package var name: String
  /// The most likely value.
  package var value: Double
  /// 1σ, above 0.
  package var deviation: Double

  /// Creates a prior.
  package init(name: String, value: Double, deviation: Double) {
    self.name = name
    self.value = value
    self.deviation = deviation
  }
}

extension ValueKind where Value == [NamedValue] {
  /// Names with or without values, separated by commas: `centre,k3=0.1`.
  package static var namedValues: ValueKind {
    ValueKind(metavariable: "NAME[=VALUE]") { (text) throws(ValueError) in
      var values: [NamedValue] = []
      for item in try items(text, like: "k3 or fx=1400") {
        let (name, value) = try assignment(item, like: "k3 or fx=1400")
        values.append(
          NamedValue(
            name: name,
            value: try value.map { text throws(ValueError) in
              try number(text, of: name)
            }))
      }
      return values
    }
  }
}

extension ValueKind where Value == [NamedPrior] {
  /// Names with a value and its deviation, separated by commas: `fx=1400:20`; ± and +- for the colon too.
  package static var namedPriors: ValueKind {
    let example = "fx=1400:20"
    return ValueKind(metavariable: "NAME=VALUE:DEVIATION") { (text) throws(ValueError) in
      var priors: [NamedPrior] = []
      for item in try items(text, like: example) {
        let (name, value) = try assignment(item, like: example)
        guard let value else {
          throw ValueError("\(quoted(name)) has no value: write it like \(example)")
        }
        guard let (mean, deviation) = halves(value) else {
          throw ValueError(
            "\(quoted(name)) has no deviation: write value and deviation like \(example)")
        }
        let prior = NamedPrior(
          name: name, value: try number(mean, of: name),
          deviation: try number(deviation, of: name))
        guard prior.deviation > 0 else {
          throw ValueError(
            "the deviation of \(quoted(name)) must be above 0; --fix holds a parameter at a value")
        }
        priors.append(prior)
      }
      return priors
    }
  }
}

/// What stands between commas.
private func items(_ text: String, like example: String) throws(ValueError) -> [Substring] {
  let items = text.split(separator: ",", omittingEmptySubsequences: false)
  guard items.allSatisfy({ !$0.isEmpty }) else {
    throw ValueError("a name is missing: write it like \(example), several with commas between")
  }
  return items
}

/// A name of letters and digits, and what follows the sign of equality.
private func assignment(
  _ item: Substring, like example: String
) throws(ValueError) -> (name: String, value: Substring?) {
  let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  let name = parts[0]
  guard !name.isEmpty, name.utf8.allSatisfy({ isWordByte($0) }) else {
    throw ValueError("\(quoted(String(name))) is no name of a parameter: write it like \(example)")
  }
  return (String(name), parts.count > 1 ? parts[1] : nil)
}

private func isWordByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: false
  }
}

/// The value and the deviation of a prior.
private func halves(_ text: Substring) -> (Substring, Substring)? {
  for sign in ["±", "+-", ":"] {
    if let place = text.indices.first(where: { text[$0...].hasPrefix(sign) }) {
      return (text[..<place], text[place...].dropFirst(sign.count))
    }
  }
  return nil
}

/// A finite decimal number.
private func number(_ text: Substring, of name: String) throws(ValueError) -> Double {
  let plain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
  guard plain, let value = Double(text), value.isFinite else {
    throw ValueError("\(quoted(String(text))) is no number that \(quoted(name)) can have")
  }
  return value
}
