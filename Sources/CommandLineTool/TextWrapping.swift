/// Breaks text into lines of at most `width` characters at spaces.
///
/// Longer words get a line of their own; line breaks in the text are kept.
package func wrapped(_ text: String, width: Int) -> [String] {
  text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
    var lines: [String] = []
    var line = ""
    for word in paragraph.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return lines + [line]
  }
}

/// The text wrapped to `width`, every line indented.
func indented(_ text: String, by indent: Int, width: Int) -> String {
  let margin = String(repeating: " ", count: indent)
  return wrapped(text, width: width - indent).map { ($0.isEmpty ? "" : margin + $0) + "\n" }
    .joined()
}
