extension CommandDescription {
  /// Completions for fish.
  func fishCompletion() -> String {
    var lines = ["# fish completion for \(name), made by \(name) --generate-completion fish"]
    if let operands { lines.append(fishLine("", operands.completion)) }
    for option in visibleOptions {
      let names = (option.short.map { " -s \($0)" } ?? "") + " -l " + option.name
      let description = " -d " + fishQuoted(option.headline)
      if option.takesValue {
        lines.append(fishLine(names + " -r", option.completion) + description)
      } else {
        lines.append("complete -c \(name)\(names)\(description)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishLine(_ names: String, _ completion: ValueCompletion) -> String {
    let start = "complete -c \(name)\(names)"
    switch completion {
    case .none: return start + " -f"
    case .files: return start + " -F"
    case .folders: return start + " -f -a '(__fish_complete_directories)'"
    case .words(let words): return start + " -f -a " + fishQuoted(words.joined(separator: " "))
    }
  }

  /// A word between single quotes for fish, in which a backslash escapes itself and the quote.
  private func fishQuoted(_ text: String) -> String {
    text.reduce(into: "'") { result, character in
      if character == "'" || character == "\\" { result.append("\\") }
      result.append(character)
    } + "'"
  }
}
