extension CommandDescription {
  /// Completions for bash; needs nothing of the bash-completion package.
  func bashCompletion() -> String {
    var cases = ""
    for (names, action) in bashValueCases {
      cases += "    \(names))\n      \(action)\n      return ;;\n"
    }
    let options = visibleOptions.map { "--" + $0.name + ($0.takesValue ? "=" : "") }
      .joined(separator: " ")
    return """
      # bash completion for \(name), made by \(name) --generate-completion bash
      \(completionFunction)() {
        local word="${COMP_WORDS[COMP_CWORD]}" previous="" index
        COMPREPLY=()
        if ((COMP_CWORD > 0)); then previous="${COMP_WORDS[COMP_CWORD-1]}"; fi
        # Bash splits --name=value at the sign: the option is then two words back.
        if [[ $word == "=" ]]; then
          word=""
        elif [[ $previous == "=" ]] && ((COMP_CWORD > 1)); then
          previous="${COMP_WORDS[COMP_CWORD-2]}"
        fi
        for ((index = 1; index < COMP_CWORD; index++)); do
          if [[ ${COMP_WORDS[index]} == "--" ]]; then previous="" && break; fi
        done
        case $previous in
      \(cases)  esac
        if [[ $word == -* ]] && ((index == COMP_CWORD)); then
          compopt -o nospace
          COMPREPLY=($(compgen -W "\(options)" -- "$word"))
          for index in "${!COMPREPLY[@]}"; do
            [[ ${COMPREPLY[index]} == *= ]] || COMPREPLY[index]+=" "
          done
          return
        fi
        \(bashAction(operands?.completion ?? .none))
      }
      complete -F \(completionFunction) \(name)

      """
  }

  /// The options with a value by what completes it, as patterns of a `case`.
  private var bashValueCases: [(names: String, action: String)] {
    var cases: [(names: String, action: String)] = []
    for option in visibleOptions where option.takesValue {
      let names = (option.short.map { "-\($0)|" } ?? "") + "--" + option.name
      let action = bashAction(option.completion)
      if let index = cases.firstIndex(where: { $0.action == action }) {
        cases[index].names += "|" + names
      } else {
        cases.append((names, action))
      }
    }
    return cases
  }

  private func bashAction(_ completion: ValueCompletion) -> String {
    switch completion {
    case .none: "COMPREPLY=()"
    case .files: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
    case .folders: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
    case .words(let words):
      "COMPREPLY=($(compgen -W \(shellQuoted(words.joined(separator: " "))) -- \"$word\"))"
    }
  }
}
