extension CommandDescription {
  /// What a command line asks for.
  package enum Request: Sendable {
    /// To do the work.
    case run(ParsedArguments)
    /// To print a text on standard output: help, version, manual page or completions.
    case show(String)
  }

  /// Reads a command line (without the program's name).
  ///
  /// Options and operands may be mixed; `--` ends the options. `--name=value` and `--name value` are
  /// the same, as are `-nVALUE` and `-n VALUE`; flags of one letter may be joined. A next argument that
  /// is itself one of the options is not taken as a value. Names are not abbreviated: a script would
  /// break when an option is added. An option that is not repeatable may be repeated only with the same
  /// value: the last one winning would calibrate with a board that nobody meant. `--help` and the
  /// like win as soon as they are met.
  package func parse(_ arguments: [String]) throws(UsageError) -> Request {
    var state = ParsedArguments()
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      if argument == "--" {
        state.operands += arguments[index...]
        break
      }
      if argument.hasPrefix("--") {
        try readLong(argument, from: arguments, &index, into: &state)
      } else if argument.hasPrefix("-"), argument.count > 1 {
        try readShort(argument, from: arguments, &index, into: &state)
      } else {
        state.operands.append(argument)
      }
      if let text = informationText(state) { return .show(text) }
    }
    try check(state)
    return .run(state)
  }

  private func readLong(
    _ argument: String, from arguments: [String], _ index: inout Int,
    into state: inout ParsedArguments
  ) throws(UsageError) {
    let body = argument.dropFirst(2)
    let name = String(body.prefix { $0 != "=" })
    let attached = name.count < body.count ? String(body.dropFirst(name.count + 1)) : nil
    guard let option = allOptions.first(where: { $0.name == name }) else {
      throw unknownOption("--" + name)
    }
    if option.takesValue {
      let value: String
      if let attached {
        value = attached
      } else {
        value = try nextValue(of: option, shown: "--" + name, arguments, &index)
      }
      try store(value, of: option, into: &state)
    } else if let attached {
      throw UsageError(
        .unexpectedValue, subject: "--" + name,
        message: "option '--\(name)' takes no value, found \(quoted(attached))")
    } else {
      try store("", of: option, into: &state)
    }
  }

  private func readShort(
    _ argument: String, from arguments: [String], _ index: inout Int,
    into state: inout ParsedArguments
  ) throws(UsageError) {
    var rest = argument.dropFirst()
    while let letter = rest.popFirst() {
      guard let option = allOptions.first(where: { $0.short == letter }) else {
        throw unknownOption("-\(letter)", in: argument)
      }
      guard option.takesValue else {
        try store("", of: option, into: &state)
        continue
      }
      let value =
        rest.isEmpty
        ? try nextValue(of: option, shown: "-\(letter)", arguments, &index) : String(rest)
      try store(value, of: option, into: &state)
      return
    }
  }

  private func nextValue(
    of option: OptionDefinition, shown: String, _ arguments: [String], _ index: inout Int
  ) throws(UsageError) -> String {
    guard index < arguments.count, !looksLikeOption(arguments[index]) else {
      throw UsageError(
        .missingValue, subject: "--" + option.name,
        message: "option '\(shown)' needs a value: \(option.metavariable ?? "VALUE")")
    }
    index += 1
    return arguments[index - 1]
  }

  /// Whether an argument is one of this command's options rather than a value such as `-9x6`.
  private func looksLikeOption(_ argument: String) -> Bool {
    if argument.hasPrefix("--") { return true }
    guard argument.hasPrefix("-"), let letter = argument.dropFirst().first else { return false }
    return allOptions.contains { $0.short == letter }
  }

  private func store(
    _ text: String, of option: OptionDefinition, into state: inout ParsedArguments
  ) throws(UsageError) {
    let value: any Sendable
    do {
      value = try option.read(text)
    } catch {
      throw UsageError(
        .invalidValue, subject: "--" + option.name,
        message: "invalid value \(quoted(text)) for '--\(option.name)': \(error.message)")
    }
    if !option.isRepeatable, let earlier = state.texts[option.name]?.last, earlier != text {
      throw UsageError(
        .repeatedOption, subject: "--" + option.name,
        message:
          "option '--\(option.name)' is given twice, as \(quoted(earlier)) and as \(quoted(text)); "
          + "give it once")
    }
    state.values[option.name, default: []].append(value)
    state.texts[option.name, default: []].append(text)
  }

  private func unknownOption(_ shown: String, in argument: String? = nil) -> UsageError {
    var message = "unknown option \(quoted(shown))"
    if let argument, argument != shown { message += " in \(quoted(argument))" }
    let names = visibleOptions.map(\.name)
    let typed = (argument ?? shown).drop { $0 == "-" }
    if let near = nearMiss(to: String(typed.prefix { $0 != "=" }), among: names) {
      message += "; did you mean '--\(near)'?"
    }
    return UsageError(.unknownOption, subject: shown, message: message)
  }

  /// The checks that need the whole command line.
  private func check(_ state: ParsedArguments) throws(UsageError) {
    for set in exclusive {
      let given = set.filter { state.values[$0] != nil }.map { "'--\($0)'" }
      if given.count > 1 {
        throw UsageError(
          .conflictingOptions, subject: given[1],
          message: "options \(given[0]) and \(given[1]) exclude each other; give one of them")
      }
    }
    for option in allOptions where option.isRequired && state.values[option.name] == nil {
      throw UsageError(
        .missingOption, subject: "--" + option.name,
        message:
          "option '--\(option.name) \(option.metavariable ?? "VALUE")' is missing: "
          + option.headline.prefix(1).lowercased() + option.headline.dropFirst())
    }
    let allowed = operands?.count ?? 0...0
    if state.operands.count > allowed.upperBound {
      throw UsageError(
        .unexpectedOperand, subject: state.operands[allowed.upperBound],
        message: "unexpected argument \(quoted(state.operands[allowed.upperBound]))")
    }
    if state.operands.count < allowed.lowerBound, let operands {
      throw UsageError(
        .missingOperand, subject: operands.metavariable,
        message: "\(operands.metavariable) is missing")
    }
    if state.operands.contains("") {
      throw UsageError(
        .invalidValue, subject: operands?.metavariable ?? "",
        message: "an argument is empty; leave it out or name a \(operands?.metavariable ?? "value")"
      )
    }
  }

  private func informationText(_ state: ParsedArguments) -> String? {
    if state.isGiven(Self.help) { return helpText() }
    if state.isGiven(Self.version) { return "\(name) (camera-intrinsics) \(packageVersion)\n" }
    if state.isGiven(Self.generateManPage) { return manPage() }
    return state[Self.generateCompletion].map(completionScript)
  }
}
