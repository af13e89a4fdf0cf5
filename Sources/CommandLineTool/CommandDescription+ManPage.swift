extension CommandDescription {
  /// The manual page in roff with the `man` macros (man(7)).
  ///
  /// It carries no date, so that the same source gives the same page.
  package func manPage() -> String {
    var lines = [
      ".TH \(roff(name.uppercased())) 1 \"\" \"camera\\-intrinsics \(roff(packageVersion))\" "
        + "\"User Commands\"",
      ".SH NAME", "\(roff(name)) \\- \(roff(summary))",
      ".SH SYNOPSIS", ".B \(roff(name))",
      synopsisWords.map(synopsisMarkup).joined(separator: "\n"),
      ".SH DESCRIPTION", prose(summary.prefix(1).uppercased() + summary.dropFirst() + "."),
    ]
    for paragraph in details { lines += [".PP", prose(paragraph)] }
    if let operands {
      lines += [".SH ARGUMENTS"] + tagged("\\fI\(roff(operands.metavariable))\\fR", operands.help)
    }
    lines.append(".SH OPTIONS")
    for group in allGroups {
      lines.append(".SS \(roff(group.title))")
      for option in group.options where !option.isHidden {
        lines += tagged(option.manTerm, option.helpWithDefault)
      }
    }
    if !examples.isEmpty { lines.append(".SH EXAMPLES") }
    for (index, example) in examples.enumerated() {
      if index > 0 { lines.append(".PP") }
      lines += [prose(example.purpose), ".PP", ".in +4n", ".nf"]
      lines += [roffLine(example.command), ".fi", ".in"]
    }
    lines.append(".SH EXIT STATUS")
    for item in allExitStatuses { lines += tagged("\\fB\(item.status.rawValue)\\fR", item.meaning) }
    lines += entries("ENVIRONMENT", environment) + entries("FILES", files)
    if !seeAlso.isEmpty {
      lines += [".SH SEE ALSO", seeAlso.map(reference).joined(separator: ",\n")]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func entries(_ title: String, _ entries: [Entry]) -> [String] {
    entries.isEmpty
      ? [] : [".SH \(title)"] + entries.flatMap { tagged("\\fB\(roff($0.name))\\fR", $0.help) }
  }

  private func tagged(_ tag: String, _ help: String) -> [String] { [".TP", tag, prose(help)] }

  /// `calibrate(1)` as `.BR calibrate (1)`.
  private func reference(_ page: String) -> String {
    let name = page.prefix { $0 != "(" }
    return "\\fB\(roff(name))\\fR\(roff(page.dropFirst(name.count)))"
  }

  /// A word of the synopsis: option names bold, words to be replaced in italics.
  private func synopsisMarkup(_ word: String) -> String {
    word.split(separator: " ").map { part in
      if part.hasPrefix("--") { return "\\fB\(roff(part))\\fR" }
      let letters = part.filter { $0.isLetter || $0 == "_" || $0 == "-" }
      return roff(part).replacing(roff(letters), with: "\\fI\(roff(letters))\\fR")
    }.joined(separator: " ")
  }

  /// Running text, the names of this command's options bold.
  private func prose(_ text: String) -> String {
    let names = Set(visibleOptions.map { "--" + $0.name })
    let words = text.split(separator: " ").map { word -> String in
      let name = word.prefix { $0.isLetter || $0 == "-" || $0.isNumber }
      guard names.contains(String(name)) else { return roff(word) }
      return "\\fB\(roff(name))\\fR\(roff(word.dropFirst(name.count)))"
    }
    return guarded(words.joined(separator: " "))
  }
}

extension OptionDefinition {
  /// `-b, --board=COLUMNSxROWS` in bold and italics.
  fileprivate var manTerm: String {
    let letter = short.map { "\\fB\\-\(roff(String($0)))\\fR, " } ?? ""
    let value = metavariable.map { "=\\fI\(roff($0))\\fR" } ?? ""
    return letter + "\\fB\\-\\-\(roff(name))\\fR" + value
  }
}

/// Text with roff's special characters escaped; a hyphen becomes the ASCII one, to be copied.
private func roff(_ text: some StringProtocol) -> String {
  var result = ""
  for character in text {
    switch character {
    case "\\": result += "\\e"
    case "-": result += "\\-"
    case "\n": result += " "
    default: result.append(character)
    }
  }
  return result
}

/// A line of text that is not taken for a request where it begins with a full stop or quote.
private func guarded(_ line: String) -> String {
  line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
}

private func roffLine(_ text: String) -> String { guarded(roff(text)) }

extension String {
  /// The string with the first occurrence of `part` replaced; unchanged where there is none.
  fileprivate func replacing(_ part: String, with other: String) -> String {
    guard !part.isEmpty else { return self }
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(part) {
        return self[..<index] + other + self[index...].dropFirst(part.count)
      }
      index = self.index(after: index)
    }
    return self
  }
}
