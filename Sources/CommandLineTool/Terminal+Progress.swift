internal import Locking

extension Terminal {
  /// Shows how far a piece of work has come until `finishProgress()`; one at a time.
  ///
  /// On a terminal a bar is redrawn at most ten times a second; elsewhere a line is said at most
  /// every five seconds, so that a log shows life without being flooded. Quiet shows neither.
  /// `total` is nil where it isn't known.
  package func startProgress(_ label: String, total: Int?) {
    state.withLock { state in
      eraseBar(&state)
      state.bar = ProgressBar(label: label, total: total, started: clock())
      drawBar(&state, force: true)
    }
  }

  /// One more piece is done; `item` is its name.
  package func advanceProgress(_ item: String = "") {
    state.withLock { state in
      guard state.bar != nil else { return }
      state.bar?.done += 1
      state.bar?.item = item
      drawBar(&state, force: false)
    }
  }

  /// Takes the bar, and lines of `showStatus`, away.
  package func finishProgress() {
    state.withLock { state in
      eraseBar(&state)
      state.bar = nil
      state.status = []
    }
  }

  func eraseBar(_ state: inout State) {
    eraseStatus(&state)
    guard isInteractive, state.bar?.isDrawn == true else { return }
    try? talk.write("\r\u{1B}[K")
    state.bar?.isDrawn = false
  }

  func drawBar(_ state: inout State, force: Bool) {
    if state.bar == nil, force { drawStatus(&state) }
    guard state.verbosity > .quiet, var bar = state.bar else { return }
    let now = clock()
    if isInteractive {
      let interval: UInt64 = 100_000_000
      if force || now &- bar.lastDrawn >= interval || bar.isComplete {
        try? talk.write("\r" + bar.line(columns: talk.columns ?? 80) + "\u{1B}[K")
        bar.lastDrawn = now
        bar.isDrawn = true
      }
    } else if !force, now &- bar.lastDrawn >= 5_000_000_000 {
      try? talk.write(bar.plainLine + "\n")
      bar.lastDrawn = now
    }
    state.bar = bar
  }
}
