/// Reads ROS's INI dialect (`ost.txt`): `[section]`, then a name on a line and its numbers below it.
enum INIReader {
  /// A name with the numbers below it.
  struct Item: Sendable, Hashable {
    var name: String
    var numbers: [DecimalText]
    var line: Int
  }

  /// A section with its items.
  struct Section: Sendable, Hashable {
    var name: String
    var items: [Item]
    var line: Int

    /// The item called `name`.
    func item(_ name: String) throws(FormatError) -> Item? {
      let found = items.filter { $0.name == name }
      guard found.count <= 1 else {
        throw FormatError(
          .badValue, line: found[1].line, "\"\(name)\" stands twice in [\(self.name)]: remove one")
      }
      return found.first
    }
  }

  /// Whether the first line that is no comment opens a section.
  static func matches(_ source: SourceText) -> Bool {
    for line in source.firstLines {
      let text = line.trimmed
      if text.isEmpty || text.hasPrefix("#") || text.hasPrefix(";") { continue }
      return sectionName(text) != nil
    }
    return false
  }

  private static func sectionName(_ text: String) -> String? {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    let name = String(text.dropFirst().dropLast())
    let isName = name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || "_-/. ".utf8.contains($0)
    }
    return isName && name.contains(where: \.isLetter) ? name : nil
  }

  static func sections(in source: SourceText) throws(FormatError) -> [Section] {
    var sections: [Section] = []
    for (number, line) in source.lines {
      let text = line.trimmed
      if text.isEmpty || text.hasPrefix("#") || text.hasPrefix(";") { continue }
      if let name = sectionName(text) {
        sections.append(Section(name: name, items: [], line: number))
        continue
      }
      guard !sections.isEmpty else {
        throw FormatError(.syntax, line: number, "expected a section such as [image]")
      }
      let last = sections.count - 1
      let numbers = text.words.compactMap { DecimalText($0, line: number) }
      if numbers.count == text.words.count {
        guard !sections[last].items.isEmpty else {
          throw FormatError(
            .syntax, line: number, "numbers without a name above them, such as \"camera matrix\"")
        }
        sections[last].items[sections[last].items.count - 1].numbers += numbers
      } else {
        guard numbers.isEmpty else {
          throw FormatError(
            .syntax, line: number,
            "\"\(text.prefix(60))\" mixes words and numbers; expected a name alone or finite numbers"
          )
        }
        sections[last].items.append(Item(name: text, numbers: [], line: number))
      }
    }
    return sections
  }
}
