internal import Locking

/// Frames between the capture thread, which never waits for a consumer here, and one consumer.
///
/// Late frames are discarded, or the queue is bounded and says when it is full: then the capture
/// thread leaves the frames with the driver.
final class FrameQueue: Sendable {
  /// What the consumer takes next.
  enum Item: Sendable {
    case frame(SampleBuffer)
    case dropped(DroppedFrames)
    /// The session has ended, well or with an error.
    case end(CaptureError?)
  }

  private struct State: Sendable {
    var frames: [SampleBuffer] = []
    var dropped: [DroppedFrames] = []
    var isEnded = false
    var endError: CaptureError?
    var isConsumerTold = false
  }

  private let state = Lock(State())
  /// Called when there is something to take and the consumer was not told since it took the last.
  private let tellConsumer: @Sendable () -> Void
  /// Called after a frame was taken.
  private let tellProducer: Lock<(@Sendable () -> Void)?> = Lock(nil)

  init(tellConsumer: @escaping @Sendable () -> Void) {
    self.tellConsumer = tellConsumer
  }

  /// Begins a session's frames.
  ///
  /// - Parameter onTake: Called on the consumer's thread after it took a frame.
  func begin(onTake: @escaping @Sendable () -> Void) {
    tellProducer.withLock { $0 = onTake }
    var old = State()
    state.withLock { swap(&$0, &old) }
  }

  /// How many frames wait.
  var count: Int { state.withLock { $0.frames.count } }

  /// Adds a frame.
  ///
  /// - Parameter discardsLate: Whether it takes the place of those that wait.
  /// - Returns: How many it has taken the place of.
  func add(_ frame: SampleBuffer, discardsLate: Bool) -> Int {
    var late: [SampleBuffer] = []
    let mustTell = state.withLock { state in
      guard !state.isEnded else { return false }
      if discardsLate, !state.frames.isEmpty {
        late = state.frames
        state.frames.removeAll(keepingCapacity: true)
        Self.note(DroppedFrames(reason: .frameWasLate, count: late.count), in: &state)
      }
      state.frames.append(frame)
      defer { state.isConsumerTold = true }
      return !state.isConsumerTold
    }
    if mustTell { tellConsumer() }
    // Outside the lock: the end of a frame is a system call.
    return late.count
  }

  /// Notes frames that will not come.
  func add(_ dropped: DroppedFrames) {
    let mustTell = state.withLock { state in
      guard !state.isEnded else { return false }
      Self.note(dropped, in: &state)
      defer { state.isConsumerTold = true }
      return !state.isConsumerTold
    }
    if mustTell { tellConsumer() }
  }

  private static func note(_ dropped: DroppedFrames, in state: inout State) {
    if let index = state.dropped.firstIndex(where: { $0.reason == dropped.reason }) {
      state.dropped[index].count += dropped.count
    } else {
      state.dropped.append(dropped)
    }
  }

  /// Ends the session's frames.
  ///
  /// Those that wait are given back: a consumer that is slow must not hold the camera after
  /// `stopRunning`.
  func end(_ error: CaptureError?) {
    var waiting: [SampleBuffer] = []
    let mustTell = state.withLock { state in
      guard !state.isEnded else { return false }
      state.isEnded = true
      state.endError = error
      swap(&waiting, &state.frames)
      defer { state.isConsumerTold = true }
      return !state.isConsumerTold
    }
    if mustTell { tellConsumer() }
    // Outside the lock, as in `add`.
    waiting.removeAll()
  }

  /// Takes what is next; nil where there is nothing, and then the consumer will be told when there is.
  func take() -> Item? {
    let item: Item? = state.withLock { state in
      if !state.dropped.isEmpty { return .dropped(state.dropped.removeFirst()) }
      if !state.frames.isEmpty { return .frame(state.frames.removeFirst()) }
      if state.isEnded { return .end(state.endError) }
      state.isConsumerTold = false
      return nil
    }
    if case .frame = item { tellProducer.withLock { $0 }?() }
    return item
  }

  /// Whether there is something to take; where there is not, the consumer will be told when there is.
  func hasMore() -> Bool {
    state.withLock { state in
      let hasMore = !state.frames.isEmpty || !state.dropped.isEmpty || state.isEnded
      if !hasMore { state.isConsumerTold = false }
      return hasMore
    }
  }
}
