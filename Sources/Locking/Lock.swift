import Glibc

/// A value that only one thread at a time can reach.
///
/// Over a pthread mutex rather than a futex of the standard library's, because ThreadSanitizer on
/// Linux sees pthread mutexes and nothing else.
package final class Lock<State>: @unchecked Sendable {
  // Sendable: `state` is touched in `withLock` only, between locking and unlocking `mutex`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State

  /// Creates a locked value.
  package init(_ state: sending State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Calls `body` with the value while no other thread has it; `body` must not call back into here.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
