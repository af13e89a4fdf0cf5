import Frames
import Glibc

/// The newest frames of a camera, handed from the thread that captures to the one that looks.
///
/// Whoever captures is never kept waiting: a frame that nobody took is replaced by the next one. Next
/// to the newest frame the few before it are kept, for comparison.
///
/// Sendable because `state` is touched only between locking and unlocking `mutex`.
final class FrameMailbox: @unchecked Sendable {
  /// The newest frame and what came with it.
  struct Delivery {
    /// The newest frame.
    var frame: Frame
    /// The frames before it, the nearest first; without large gaps in their numbers.
    var before: [Frame]
  }

  /// What waiting led to.
  enum Answer {
    case delivery(Delivery)
    /// Nothing new within the time.
    case nothing
    /// The source ended, or failed.
    case end((any Error)?)
  }

  private struct State {
    /// The newest frame first.
    var recent: [Frame] = []
    var hasNew = false
    var hasEnded = false
    var failure: (any Error)?
    var isStopped = false
    var counts = FrameCounts()
    var taken: Int?
  }

  /// How many frames before the newest are kept: cameras that repeat each frame up to three times are
  /// told from boards that hold still.
  static let depth = 3
  /// Frames that lie farther apart than this are not compared.
  static let largestGap = 15

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var state = State()

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  private func locked<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// A frame was captured.
  func put(_ frame: Frame, absenceNanoseconds: UInt64) {
    locked { state in
      state.counts.captured += 1
      state.counts.longestAbsenceNanoseconds = max(
        state.counts.longestAbsenceNanoseconds, absenceNanoseconds)
      if let last = state.recent.first {
        let gap = frame.index - last.index
        state.counts.lost += max(0, gap - 1)
        // What did not move over a small gap did not move for longer still; half a second is no gap but
        // another time.
        if gap < 1 || gap > Self.largestGap { state.recent = [] }
      }
      if state.hasNew { state.counts.skipped += 1 }
      state.recent.insert(frame, at: 0)
      if state.recent.count > Self.depth + 1 { state.recent.removeLast() }
      state.hasNew = true
      pthread_cond_signal(condition)
    }
  }

  /// There will be no further frame.
  func end(_ failure: (any Error)?) {
    locked { state in
      state.hasEnded = true
      state.failure = failure
      pthread_cond_signal(condition)
    }
  }

  /// Asks the capturing thread to stop before the next frame.
  func stop() { locked { $0.isStopped = true } }

  /// Whether the capturing thread should stop.
  var isStopped: Bool { locked { $0.isStopped } }

  /// What became of the frames.
  var counts: FrameCounts { locked { $0.counts } }

  /// The newest frame if it was not taken before; waits for one up to `milliseconds`.
  func take(milliseconds: Int) -> Answer {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    deadline.tv_nsec += (milliseconds % 1000) * 1_000_000
    deadline.tv_sec += milliseconds / 1000 + deadline.tv_nsec / 1_000_000_000
    deadline.tv_nsec %= 1_000_000_000
    return locked { state in
      while !state.hasNew, !state.hasEnded {
        if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { break }
      }
      if state.hasNew, let frame = state.recent.first {
        state.hasNew = false
        state.taken = frame.index
        state.counts.considered += 1
        return .delivery(Delivery(frame: frame, before: Array(state.recent.dropFirst())))
      }
      return state.hasEnded ? .end(state.failure) : .nothing
    }
  }

  /// Looking at the frame that was taken came to an end.
  func finish(isDamaged: Bool) {
    locked { state in
      if isDamaged { state.counts.damaged += 1 }
      if let taken = state.taken, let newest = state.recent.first {
        state.counts.largestLag = max(state.counts.largestLag, newest.index - taken)
      }
    }
  }
}
