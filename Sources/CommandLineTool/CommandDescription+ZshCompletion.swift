extension CommandDescription {
  /// Completions for zsh, to be installed as `_NAME` in a folder of `fpath`.
  func zshCompletion() -> String {
    var specs: [String] = []
    for option in visibleOptions {
      let description = "[" + zshText(option.headline) + "]"
      let value =
        option.metavariable.map { ":\(zshText($0)):\(zshAction(option.completion))" } ?? ""
      let long = "--" + option.name
      let sign = option.takesValue ? "=" : ""
      let exclusions = zshExclusions(of: option)
      if let letter = option.short {
        let short = "-\(letter)" + (option.takesValue ? "+" : "")
        specs.append(
          shellQuoted(exclusions) + "{" + short + "," + long + sign + "}"
            + shellQuoted(description + value))
      } else {
        specs.append(shellQuoted(exclusions + long + sign + description + value))
      }
    }
    if let operands {
      specs.append(
        shellQuoted("*:\(zshText(operands.metavariable)):\(zshAction(operands.completion))"))
    }
    return "#compdef \(name)\n# made by \(name) --generate-completion zsh\n_arguments -s -S \\\n  "
      + specs.joined(separator: " \\\n  ") + "\n"
  }

  /// The options that are not offered any more once this one is there.
  private func zshExclusions(of option: OptionDefinition) -> String {
    if option.isRepeatable && option.takesValue { return "*" }
    let names = Set([option.name] + exclusive.filter { $0.contains(option.name) }.joined())
    let forms = visibleOptions.filter { names.contains($0.name) }.flatMap { other in
      (other.short.map { ["-\($0)"] } ?? []) + ["--" + other.name]
    }
    return "(" + forms.joined(separator: " ") + ")"
  }

  private func zshAction(_ completion: ValueCompletion) -> String {
    switch completion {
    case .none: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .words(let words): "(" + words.joined(separator: " ") + ")"
    }
  }

  private func zshText(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "[]:\\".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}
