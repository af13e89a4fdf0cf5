extension CommandDescription {
  /// The script that teaches a shell this command's options.
  package func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletion()
    case .zsh: zshCompletion()
    case .fish: fishCompletion()
    }
  }

  /// A shell function's name for this command.
  var completionFunction: String {
    "_" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}

/// A word between single quotes for a POSIX shell.
func shellQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    + "'"
}
