/// One row of the option table, without the type of its value.
package struct OptionDefinition: Sendable {
  /// The long name without its dashes.
  package var name: String
  /// The letter of the short form.
  package var short: Character?
  /// The word for the value in help; nil for a flag.
  package var metavariable: String?
  /// What a shell offers as value.
  package var completion: ValueCompletion
  /// What it does, in sentences; the first one also serves as the completion's description.
  package var help: String
  /// Whether it must be given.
  package var isRequired: Bool
  /// Whether each occurrence counts.
  package var isRepeatable: Bool
  /// Whether help, manual and completions leave it out.
  package var isHidden: Bool
  /// The default as one would type it.
  package var defaultText: String?
  /// Reads one value.
  let read: @Sendable (String) throws(ValueError) -> any Sendable

  init<Value>(
    name: String, short: Character?, kind: ValueKind<Value>, help: String,
    isRequired: Bool = false, isRepeatable: Bool = false
  ) {
    self.name = name
    self.short = short
    self.metavariable = kind.metavariable
    self.completion = kind.completion
    self.help = help
    self.isRequired = isRequired
    self.isRepeatable = isRepeatable
    self.isHidden = false
    let read = kind.read
    self.read = { (text) throws(ValueError) in try read(text) }
  }

  init(flag name: String, short: Character?, help: String) {
    self.name = name
    self.short = short
    self.metavariable = nil
    self.completion = .none
    self.help = help
    self.isRequired = false
    self.isRepeatable = true
    self.isHidden = false
    self.read = { (_) throws(ValueError) in true }
  }

  /// Whether it takes a value.
  package var takesValue: Bool { metavariable != nil }

  /// The help text with the default, where there is one.
  var helpWithDefault: String {
    if isRequired { return help + " Required." }
    return defaultText.map { help + " Default: \($0)." } ?? help
  }

  /// The first sentence of the help without its full stop, for completions.
  var headline: String {
    var end = help.endIndex
    var index = help.startIndex
    while index < help.endIndex {
      let next = help.index(after: index)
      if ".;:".contains(help[index]), next == help.endIndex || help[next] == " " {
        end = index
        break
      }
      index = next
    }
    return String(help[..<end])
  }
}

/// Options under a common heading.
package struct OptionGroup: Sendable {
  /// The heading, for example `Board`.
  package var title: String
  /// The options in the order of the help.
  package var options: [OptionDefinition]

  /// Creates a group.
  package init(_ title: String, _ options: [any DeclaredOption]) {
    self.title = title
    self.options = options.map(\.definition)
  }
}
