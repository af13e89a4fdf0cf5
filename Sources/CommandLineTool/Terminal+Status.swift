internal import Locking

extension Terminal {
  /// Whether standard error is a terminal that a person may be looking at.
  package var showsStatus: Bool { isInteractive && verbosity > .quiet }

  /// Shows lines below the talk until others take their place or `clearStatus()`.
  ///
  /// Only on a terminal, and not when quiet; elsewhere nothing is said. Redrawn at most ten times a
  /// second unless `atOnce`. Lines are cut to the terminal's width.
  package func showStatus(_ lines: [String], atOnce: Bool = false) {
    state.withLock { state in
      let now = clock()
      guard isInteractive, state.verbosity > .quiet,
        atOnce || state.status.isEmpty || now &- state.statusDrawn >= 100_000_000
      else { return }
      eraseBar(&state)
      state.status = lines
      state.statusDrawn = now
      drawBar(&state, force: true)
    }
  }

  /// Someone pressed Enter on the terminal, whose echo has moved the cursor down by a line.
  package func acceptEcho() {
    state.withLock { state in
      if state.statusRows > 0 { state.statusRows += 1 }
    }
  }

  /// Takes the lines away.
  package func clearStatus() {
    state.withLock { state in
      eraseBar(&state)
      state.status = []
    }
  }

  /// Takes the lines off the screen; the cursor is left where the first of them began.
  func eraseStatus(_ state: inout State) {
    guard state.statusRows > 0 else { return }
    let up = state.statusRows > 1 ? "\u{1B}[\(state.statusRows - 1)A" : ""
    try? talk.write("\r\(up)\u{1B}[J")
    state.statusRows = 0
  }

  /// Draws the lines; the cursor is left at the end of the last one.
  func drawStatus(_ state: inout State) {
    guard !state.status.isEmpty, isInteractive, state.verbosity > .quiet else { return }
    // A character in the last column would make some terminals scroll.
    let room = max((talk.columns ?? 80) - 1, 0)
    let lines = state.status.map { String(printable($0).prefix(room)) }
    try? talk.write(lines.joined(separator: "\n"))
    state.statusRows = lines.count
  }
}
