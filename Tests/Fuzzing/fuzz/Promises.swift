/// Stops the fuzzer where a promise is broken; it keeps the input.
func require(_ isKept: Bool, _ promise: @autoclosure () -> String) {
  guard !isKept else { return }
  fatalError("broken promise: \(promise())")
}

/// What people are shown is one or more words, of a bounded length, and steers no terminal.
func requirePrintable(_ text: String, lines: Bool = false) {
  require(!text.isEmpty, "a message is not empty")
  require(text.utf8.count < 20_000, "a message is short: \(text.utf8.count) bytes")
  let isPrintable = text.unicodeScalars.allSatisfy {
    // U+202A…E and U+2066…9 turn round the text beside them.
    $0.properties.generalCategory != .control && !(0x202A...0x202E).contains($0.value)
      && !(0x2066...0x2069).contains($0.value) || lines && $0 == "\n"
  }
  require(isPrintable, "no control characters in: \(text.debugDescription)")
}
