/// The text between single quotes, safe to show on a terminal.
///
/// Control characters (an escape sequence in a file name, say) are shown as `\u{1b}`, and texts of
/// more than 200 characters are cut, so that a message stays a line.
package func quoted(_ text: String) -> String {
  "'" + printable(text) + "'"
}

/// The text with control characters shown as `\u{1b}`, cut at 200 characters.
package func printable(_ text: String) -> String {
  var result = ""
  var count = 0
  for scalar in text.unicodeScalars {
    if count == 200 { return result + "…" }
    count += 1
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .format, .surrogate:
      result += "\\u{" + String(scalar.value, radix: 16) + "}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
