extension String {
  /// The text with control and format characters replaced: what a file says must not steer the
  /// terminal that shows it.
  package var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }

  /// At most 40 characters of the text, printable, for quoting in messages.
  package var clipped: String {
    // A character may consist of any number of scalars: bounded before it is looked at.
    let start = String(String.UnicodeScalarView(unicodeScalars.prefix(160)))
    let characters = start.printable.prefix(41)
    return characters.count > 40 || start.utf8.count < utf8.count
      ? String(characters.prefix(40)) + "…" : String(characters)
  }
}
