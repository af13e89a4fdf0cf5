import Locking

/// One piece of work on a thread of its own, whose answer others ask for.
///
/// The work waits for child processes, which must hold up nothing else. Where the system has no thread
/// left, it is done at once.
final class BackgroundTask<Answer: Sendable>: Sendable {
  private struct State {
    var answer: Result<Answer, any Error>?
    var isCancelled = false
  }

  private let state: WaitableLock<State>
  private let thread: PlainThread?

  /// Begins the work, which asks its argument now and then whether nobody wants the answer any more.
  init(_ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Answer) {
    let state = WaitableLock(State())
    self.state = state
    let body: @Sendable () -> Void = {
      let answer = Result { try work { state.withLock { $0.isCancelled } } }
      state.change { $0.answer = answer }
    }
    thread = try? PlainThread(body)
    if thread == nil { body() }
  }

  /// The answer, or what the work threw; waits for it up to `milliseconds`, and is nil until then.
  func answer(milliseconds: Int) -> Result<Answer, any Error>? {
    state.wait(milliseconds: milliseconds) { $0.answer }
  }

  /// Waits until the work has ended or has noticed that nobody wants its answer.
  deinit {
    state.withLock { $0.isCancelled = true }
    thread?.join()
  }
}
