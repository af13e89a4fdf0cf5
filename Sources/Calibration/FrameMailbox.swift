import Frames
import Glibc
import Locking

/// The newest frames of a camera, handed from the thread that captures to the one that looks.
///
/// Whoever captures is never kept waiting: a frame that nobody took is replaced by the next one. Next
/// to the newest frame the few before it are kept, for comparison.
final class FrameMailbox: Sendable {
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
    /// When the newest frame came, nanoseconds.
    var putTime: UInt64 = 0
    var hasEnded = false
    var failure: (any Error)?
    var isStopped = false
    var counts = FrameCounts()
    var taken: Int?

    /// Whether the newest frame came just now.
    var isFresh: Bool {
      hasNew && FrameMailbox.now() &- putTime < FrameMailbox.freshNanoseconds
    }
  }

  /// How many frames before the newest are kept: cameras that repeat each frame up to three times are
  /// told from boards that hold still.
  static let depth = 3
  /// Frames that lie farther apart than this are not compared.
  static let largestGap = 15
  /// A frame is not looked at once it has lain here for so long, unless no other comes.
  private static let freshNanoseconds: UInt64 = 15_000_000
  /// How long that other one is waited for, milliseconds: at 30 frames a second it is there by then.
  private static let nextFrameMilliseconds = 34

  private let state = WaitableLock(State())

  /// A frame was captured.
  func put(_ frame: Frame, absenceNanoseconds: UInt64) {
    state.change { state in
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
      state.putTime = Self.now()
    }
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// There will be no further frame.
  func end(_ failure: (any Error)?) {
    state.change { state in
      state.hasEnded = true
      state.failure = failure
    }
  }

  /// Asks the capturing thread to stop before the next frame.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Whether the capturing thread should stop.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// The number of the newest frame, taken or not; nil before the first.
  var newestIndex: Int? { state.withLock { $0.recent.first?.index } }

  /// What became of the frames.
  var counts: FrameCounts { state.withLock { $0.counts } }

  /// The newest frame if it was not taken before; waits for one up to `milliseconds`.
  ///
  /// One that has lain here for a while is left to the next, which is about to come: else what is said
  /// would be behind by the time that it lay here, as well as by the time that looking at it takes.
  func take(milliseconds: Int) -> Answer {
    let isFresh = state.wait(milliseconds: milliseconds) { state in
      state.hasNew || state.hasEnded ? state.hasEnded || state.isFresh : nil
    }
    guard let isFresh else { return .nothing }
    if !isFresh {
      _ = state.wait(milliseconds: Self.nextFrameMilliseconds) { state in
        state.hasEnded || state.isFresh ? true : nil
      }
    }
    return state.withLock { state in
      guard state.hasNew, let frame = state.recent.first else { return .end(state.failure) }
      state.hasNew = false
      state.taken = frame.index
      state.counts.considered += 1
      return .delivery(Delivery(frame: frame, before: Array(state.recent.dropFirst())))
    }
  }

  /// Looking at the frame that was taken came to an end.
  func finish(isDamaged: Bool) {
    state.withLock { state in
      if isDamaged { state.counts.damaged += 1 }
      if let taken = state.taken, let newest = state.recent.first {
        state.counts.largestLag = max(state.counts.largestLag, newest.index - taken)
      }
    }
  }
}
