/// The typed key of one option: declares it in the option table and reads its value afterwards.
///
/// `Value` says how often it may be given: `Option<Bool>` is a flag, `Option<T?>` may be left out,
/// `Option<[T]>` may be repeated, `Option<T>` always has a value (it is required or has a default).
package struct Option<Value: Sendable>: Sendable {
  /// The option as the table, help and completions see it.
  package let definition: OptionDefinition
  /// What the values that were given amount to; nil only where a required option is missing.
  let resolve: @Sendable ([any Sendable]) -> Value?
}

/// Anything that stands in an option table.
package protocol DeclaredOption: Sendable {
  /// The option without the type of its value.
  var definition: OptionDefinition { get }
}

extension Option: DeclaredOption {}

extension Option {
  /// An option that must be given.
  package static func required(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, help: String
  ) -> Option {
    let definition = OptionDefinition(
      name: name, short: short, kind: kind, help: help, isRequired: true)
    return Option(definition: definition) { $0.last as? Value }
  }

  /// An option with a value of its own where it is left out.
  package static func defaulted(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, default value: Value,
    help: String
  ) -> Option {
    var definition = OptionDefinition(name: name, short: short, kind: kind, help: help)
    definition.defaultText = kind.describe(value)
    return Option(definition: definition) { $0.last as? Value ?? value }
  }

  /// An option that may be left out.
  package static func optional<Wrapped>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Wrapped>, help: String
  ) -> Option where Value == Wrapped? {
    let definition = OptionDefinition(name: name, short: short, kind: kind, help: help)
    return Option(definition: definition) { .some($0.last as? Wrapped) }
  }

  /// An option that may be given any number of times; its values in the order of the command line.
  package static func repeated<Element>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Element>, help: String
  ) -> Option where Value == [Element] {
    let definition = OptionDefinition(
      name: name, short: short, kind: kind, help: help, isRepeatable: true)
    return Option(definition: definition) { $0.compactMap { $0 as? Element } }
  }
}

extension Option where Value == Bool {
  /// An option without a value; giving it again changes nothing.
  package static func flag(_ name: String, short: Character? = nil, help: String) -> Option {
    let definition = OptionDefinition(flag: name, short: short, help: help)
    return Option(definition: definition) { !$0.isEmpty }
  }
}
