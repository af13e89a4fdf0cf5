public import Dispatch
internal import Locking

/// Delivers a session's frames to a delegate, and to any number of sequences.
///
/// Usable from any thread. Settings take effect when the session starts next.
public final class CaptureVideoDataOutput: Sendable {
  private struct State: Sendable {
    var settings = VideoSettings()
    var discardsLate = true
    var delegateDelivery: DelegateDelivery?
    var queues: [FrameQueue] = []
    var connection: CaptureConnection?
    var isInSession = false
    var statistics = FrameStatistics()
    /// Set while the session runs: what a consumer calls when it has taken a frame.
    var onTake: (@Sendable () -> Void)?
  }

  private let state = Lock(State())

  /// Creates an output that belongs to no session.
  public init() {}

  /// The pixels to deliver, and what is done to the picture before.
  public var videoSettings: VideoSettings {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// Whether a consumer that is busy misses frames and then gets the newest; true to begin with.
  ///
  /// Otherwise frames wait in a queue as long as the driver's buffers allow, and after that the camera
  /// has to wait, too: no frame is dropped here. What the driver then leaves out is counted as
  /// `outOfBuffers`. May be changed at any time.
  public var alwaysDiscardsLateVideoFrames: Bool {
    get { state.withLock { $0.discardsLate } }
    set { state.withLock { $0.discardsLate = newValue } }
  }

  /// Says whom to tell of frames, and where; nil for nobody.
  ///
  /// The delegate is not kept alive. Calls come one after the other, whether the queue is serial or
  /// not. A call that has begun may still run when `stopRunning` returns; no other begins after that.
  /// - Parameter queue: Where the delegate is called; nil for a queue of the output's own.
  public func setSampleBufferDelegate(
    _ delegate: (any CaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    let delivery = delegate.map {
      DelegateDelivery(
        $0, queue: queue ?? DispatchQueue(label: "camera-intrinsics.video-data-output"),
        output: self)
    }
    let old = state.withLock { state in
      let old = state.delegateDelivery
      state.delegateDelivery = delivery
      if let old { state.queues.removeAll { $0 === old.frames } }
      if let delivery { Self.add(delivery.frames, to: &state) }
      return old
    }
    old?.frames.end(nil)
  }

  /// The frames as a sequence, beside the delegate or instead of it.
  public var sampleBuffers: SampleBufferSequence { SampleBufferSequence(output: self) }

  /// The connection to the session's camera: one as soon as the session has both, else none.
  public var connections: [CaptureConnection] {
    state.withLock { $0.connection.map { [$0] } ?? [] }
  }

  /// The connection that carries pictures; nil as long as the session has no camera.
  public func connection(with type: CaptureDevice.MediaType) -> CaptureConnection? {
    state.withLock { $0.connection }
  }

  /// What became of the frames since the session started last.
  public var statistics: FrameStatistics { state.withLock { $0.statistics } }
}

extension CaptureVideoDataOutput {
  /// Becomes a session's; false where it is one's already.
  func join(_ session: CaptureSession) -> Bool {
    state.withLock { state in
      defer { state.isInSession = true }
      return !state.isInSession
    }
  }

  func leave() {
    state.withLock { state in
      state.isInSession = false
      state.connection = nil
    }
  }

  func setConnection(_ connection: CaptureConnection?) {
    state.withLock { $0.connection = connection }
  }

  func add(_ queue: FrameQueue) {
    state.withLock { Self.add(queue, to: &$0) }
  }

  /// Adds a consumer; where the session runs, its frames begin.
  private static func add(_ queue: FrameQueue, to state: inout State) {
    if let onTake = state.onTake { queue.begin(onTake: onTake) }
    state.queues.append(queue)
  }

  func remove(_ queue: FrameQueue) {
    let onTake = state.withLock { state in
      state.queues.removeAll { $0 === queue }
      return state.onTake
    }
    // Frames that wait in it, and a capture thread that waits for room in it, are let go.
    queue.end(nil)
    onTake?()
  }

  /// Begins a run.
  func begin(onTake: @escaping @Sendable () -> Void) {
    let queues = state.withLock { state in
      state.statistics = FrameStatistics()
      state.onTake = onTake
      return state.queues
    }
    for queue in queues { queue.begin(onTake: onTake) }
  }

  /// Ends a run.
  func end(_ error: CaptureError?) {
    let queues = state.withLock { state in
      state.onTake = nil
      return state.queues
    }
    for queue in queues { queue.end(error) }
  }

  /// Whether every consumer that must not miss a frame can take one more.
  ///
  /// - Parameter capacity: How many frames may wait for one consumer.
  func hasRoom(capacity: Int) -> Bool {
    let (discardsLate, queues) = state.withLock { ($0.discardsLate, $0.queues) }
    return discardsLate || queues.allSatisfy { $0.count < capacity }
  }

  /// Hands a frame to every consumer; called on the capture thread.
  func deliver(_ frame: SampleBuffer) {
    let (discardsLate, queues) = state.withLock { ($0.discardsLate, $0.queues) }
    var late = 0
    for queue in queues { late += queue.add(frame, discardsLate: discardsLate) }
    if late > 0 { count(DroppedFrames(reason: .frameWasLate, count: late)) }
  }

  /// Tells every consumer of frames that will not come.
  func tell(_ dropped: DroppedFrames) {
    count(dropped)
    for queue in state.withLock({ $0.queues }) { queue.add(dropped) }
  }

  private func count(_ dropped: DroppedFrames) {
    state.withLock { $0.statistics.dropped[dropped.reason, default: 0] += dropped.count }
  }

  /// Makes sure, on the consumer's thread, that a frame can be delivered; what is damaged is counted.
  func accept(_ frame: SampleBuffer, of queue: FrameQueue) -> Bool {
    do {
      try frame.imageBuffer.prepare()
    } catch {
      count(DroppedFrames(reason: .corrupt, count: 1))
      queue.add(DroppedFrames(reason: .corrupt, count: 1))
      return false
    }
    state.withLock { $0.statistics.delivered += 1 }
    return true
  }
}
