internal import Glibc

/// State that one thread at a time may touch.
///
/// Over `pthread_mutex_t` and not `Synchronization.Mutex`, whose futex ThreadSanitizer on Linux
/// cannot see: it reports correctly locked state as a race.
final class Lock<State: Sendable>: @unchecked Sendable {
  // Sendable: `state` is touched only between lock and unlock; the mutex stays at its address, which
  // the class owns from init to deinit.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State

  init(_ state: State) {
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

  /// Calls `body` with the state while no other thread can touch it; must not be nested.
  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
