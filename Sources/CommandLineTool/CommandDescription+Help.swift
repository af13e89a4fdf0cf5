extension CommandDescription {
  /// The text of `--help`, at most `width` columns wide.
  package func helpText(width: Int = 80) -> String {
    var text = usageText(width: width) + "\n"
    text += indented(
      summary.prefix(1).uppercased() + summary.dropFirst() + ".", by: 0, width: width)
    for paragraph in details { text += "\n" + indented(paragraph, by: 0, width: width) }
    if let operands {
      text += "\nArguments:\n" + entry(operands.metavariable, operands.help, width: width)
    }
    for group in allGroups {
      text += "\n\(group.title):\n"
      for option in group.options where !option.isHidden {
        text += entry(option.helpTerm, option.helpWithDefault, width: width)
      }
    }
    text += section("Examples", examples) { example in
      indented(example.purpose, by: 2, width: width) + "    \(example.command)\n"
    }
    text += section("Exit statuses", allExitStatuses) { item in
      entry("\(item.status.rawValue)", item.meaning, width: width, column: 8)
    }
    text += section("Environment", environment) { entry($0.name, $0.help, width: width) }
    text += section("Files", files) { entry($0.name, $0.help, width: width) }
    return text
  }

  /// The usage line, broken where it is longer than `width`.
  func usageText(width: Int) -> String {
    let words = synopsisWords
    let indent = String(repeating: " ", count: "Usage: ".count + name.count + 1)
    var lines = ["Usage: " + name]
    for word in words {
      if lines[lines.count - 1].count + 1 + word.count > width {
        lines.append(indent + word)
      } else {
        lines[lines.count - 1] += " " + word
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What follows the name in a synopsis: required options, `[OPTION]...`, operands.
  var synopsisWords: [String] {
    var words = allOptions.filter(\.isRequired).map { "--\($0.name) \($0.metavariable ?? "")" }
    words.append("[OPTION]...")
    if let operands {
      let dots = operands.count.upperBound > 1 ? "..." : ""
      let word = operands.metavariable
      words.append(operands.count.lowerBound > 0 ? word + dots : "[\(word)]\(dots)")
    }
    return words
  }

  private func section<Item>(
    _ title: String, _ items: [Item], _ format: (Item) -> String
  ) -> String {
    items.isEmpty ? "" : "\n\(title):\n" + items.map(format).joined()
  }

  /// A term with its explanation beside it, or below where the term is too long.
  private func entry(_ term: String, _ help: String, width: Int, column: Int = 28) -> String {
    let body = indented(help, by: column, width: width)
    let start = "  " + term
    guard start.count + 2 <= column else { return start + "\n" + body }
    return start + String(body.dropFirst(start.count))
  }
}

extension OptionDefinition {
  /// `-h, --help`, `    --board COLUMNSxROWS`.
  var helpTerm: String {
    let letter = short.map { "-\($0), " } ?? "    "
    return letter + "--" + name + (metavariable.map { " " + $0 } ?? "")
  }
}
