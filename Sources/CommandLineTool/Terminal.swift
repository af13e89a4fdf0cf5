internal import Glibc
internal import Locking

/// Where a command speaks: data to standard output, talk to standard error, with a progress bar
/// below the talk where standard error is a terminal.
///
/// Any thread may call it; a line is never torn by another. Nothing here reads standard input.
package final class Terminal: Sendable {
  /// How much is said.
  package enum Verbosity: Int, Sendable, Hashable, Comparable {
    /// Warnings and errors.
    case quiet
    /// What a user wants to know.
    case normal
    /// All that may help to find out why.
    case verbose

    /// Quieter comes first.
    package static func < (a: Verbosity, b: Verbosity) -> Bool { a.rawValue < b.rawValue }
  }

  struct State: Sendable {
    var verbosity: Verbosity
    var outputError: OutputError?
    var bar: ProgressBar?
    /// The lines that stand below the talk.
    var status: [String] = []
    /// How many of them are on the screen.
    var statusRows = 0
    /// When they were last drawn, nanoseconds.
    var statusDrawn: UInt64 = 0
    /// What is said last.
    var lastLine: (@Sendable () -> String)?
  }

  /// The command's name, which begins warnings and errors.
  package let commandName: String
  let data: Output
  let talk: Output
  let isInteractive: Bool
  let clock: @Sendable () -> UInt64
  let state: Lock<State>

  /// Creates a terminal over two outputs; `clock` counts nanoseconds and never goes back.
  package init(
    commandName: String, data: Output = .standard, talk: Output = .standardError,
    isInteractive: Bool? = nil, verbosity: Verbosity = .normal,
    clock: @escaping @Sendable () -> UInt64 = monotonicNanoseconds
  ) {
    self.commandName = commandName
    self.data = data
    self.talk = talk
    self.isInteractive = isInteractive ?? talk.isTerminal
    self.clock = clock
    state = Lock(State(verbosity: verbosity))
  }

  /// How much is said; set it from `--quiet` and `--verbose` before anything is.
  package var verbosity: Verbosity {
    get { state.withLock { $0.verbosity } }
    set { state.withLock { $0.verbosity = newValue } }
  }

  /// The first failure of standard output.
  ///
  /// What comes after it is not written; a command may go on,
  /// to finish what it stores, and `run` ends it with the right status.
  package var outputError: OutputError? { state.withLock { $0.outputError } }

  /// Writes a line (or lines) of data to standard output.
  package func print(_ text: String) { write(Array((text + "\n").utf8)) }

  /// Writes bytes of data to standard output as they are.
  package func write(_ bytes: [UInt8]) {
    state.withLock { state in
      guard state.outputError == nil else { return }
      eraseBar(&state)
      do throws(OutputError) { try data.write(bytes) } catch { state.outputError = error }
      drawBar(&state, force: true)
    }
  }

  /// Says a line on standard error unless quiet.
  package func note(_ text: String) { say(text, from: .normal) }

  /// Says a line on standard error if verbose.
  package func detail(_ text: String) { say(text, from: .verbose) }

  /// Says a warning on standard error, however quiet.
  package func warn(_ text: String) { say("\(commandName): warning: \(text)", from: .quiet) }

  /// Says an error on standard error, however quiet.
  package func complain(_ text: String) { say("\(commandName): \(text)", from: .quiet) }

  /// Has a line said on standard error as the last of all, however quiet and however the command ends,
  /// for a program that reads it; `text` is asked at the end.
  package func sayLast(_ text: @escaping @Sendable () -> String) {
    state.withLock { $0.lastLine = text }
  }

  /// Says what `sayLast` was given.
  func sayLastLine() {
    if let text = state.withLock({ $0.lastLine }) { say(text(), from: .quiet) }
  }

  private func say(_ text: String, from level: Verbosity) {
    state.withLock { state in
      guard state.verbosity >= level else { return }
      eraseBar(&state)
      // Nothing can be said about talk that can't be said.
      try? talk.write(text + "\n")
      drawBar(&state, force: true)
    }
  }
}

/// The time since an arbitrary moment in nanoseconds (CLOCK_MONOTONIC).
@Sendable package func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}
