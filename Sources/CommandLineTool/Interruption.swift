internal import Glibc
internal import Synchronization

/// Whether someone asked the command to stop: Ctrl-C, SIGTERM or a closed terminal.
///
/// The first signal only sets a flag, which long work looks at between two pieces, so that nothing is
/// left half-written; the second one ends the process at once. So does the first during a long calculation
/// that leaves nothing behind (`endAtOnce`).
package enum Interruption {
  // Atomic rather than a lock: a signal handler may touch nothing else. TSan knows it.
  private static let received = Atomic<Int32>(0)
  private static let endsAtOnce = Atomic<Bool>(false)

  /// Starts to watch for SIGINT, SIGTERM and SIGHUP, and lets a broken pipe and a file that
  /// may not grow be errors of write(2).
  ///
  /// A signal that was ignored when the command started (`nohup`, a job in a script's background)
  /// stays ignored. All handlers are real ones, never SIG_IGN, which programs started later (ffmpeg)
  /// would inherit.
  package static func watch() {
    received.store(0, ordering: .relaxed)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      guard sigaction(signal, nil, &action) == 0 else { continue }
      if isIgnored(action) { continue }
      install(handler: note, for: signal)
    }
    install(handler: doNothing, for: SIGPIPE)
    install(handler: doNothing, for: SIGXFSZ)
  }

  /// The status to end with where someone asked to stop; nil where nobody did.
  package static var status: ExitStatus? {
    let signal = received.load(ordering: .relaxed)
    return signal == 0 ? nil : ExitStatus(rawValue: 128 + signal)
  }

  /// Whether someone asked to stop; any thread may ask.
  package static var isRequested: Bool { status != nil }

  /// Throws where someone asked to stop.
  ///
  /// - Throws: `Interrupted`, which `run` turns into the exit status.
  package static func check() throws(Interrupted) {
    if let status { throw Interrupted(status: status) }
  }

  /// Lets the next signal end the process, saying that nothing was stored, until `endInOrder` is called: for
  /// work that could not look at the flag often enough, and has nothing to put back.
  package static func endAtOnce() {
    endsAtOnce.store(true, ordering: .sequentiallyConsistent)
    let signal = received.load(ordering: .sequentiallyConsistent)
    if signal != 0 { end(by: signal) }
  }

  /// Lets a signal set the flag only, as before `endAtOnce`.
  package static func endInOrder() {
    endsAtOnce.store(false, ordering: .sequentiallyConsistent)
  }

  /// Forgets a signal; for tests.
  static func reset() { received.store(0, ordering: .relaxed) }

  private static let note: @convention(c) (Int32) -> Void = { signal in
    if received.exchange(signal, ordering: .sequentiallyConsistent) != 0 { _exit(128 + signal) }
    if endsAtOnce.load(ordering: .sequentiallyConsistent) { end(by: signal) }
  }

  // In a signal handler, too: nothing but write(2) and _exit(2), on bytes that are part of the program.
  private static func end(by signal: Int32) -> Never {
    let text: StaticString = "\ninterrupted: nothing was stored\n"
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _exit(128 + signal)
  }

  private static let doNothing: @convention(c) (Int32) -> Void = { _ in }

  private static func install(handler: @escaping @convention(c) (Int32) -> Void, for signal: Int32)
  {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    // Calls in flight go on: whoever wants to stop looks at the flag.
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
  }
}

/// Thrown out of work that was asked to stop.
package struct Interrupted: Error, Sendable, Hashable, CustomStringConvertible {
  /// 130, 143 or 129.
  package var status: ExitStatus

  /// Creates the error.
  package init(status: ExitStatus) { self.status = status }

  /// What is said.
  package var description: String { "interrupted" }
}
