internal import CV4L2
internal import Glibc
internal import Locking

/// A running capture: frames in the driver's memory, one at a time.
///
/// One thread takes frames; any thread may wake it, stop the stream and release frames. A stream runs
/// once: after `stop` make another one.
package final class VideoStream: Sendable {
  struct State: Sendable {
    var isRunning = true
    /// Someone called `wake`.
    var isWoken = false
    var startTime: UInt64 = 0
    /// For how long frames were waited for, nanoseconds, and none came.
    var silence: UInt64 = 0
    var lastSequence: UInt32?
    var missed = 0
    /// How often shared buffers were mapped again since the last frame.
    var vainMappings = 0
    var events: [ControlEvent] = []
  }

  /// The camera.
  package let node: VideoNode
  /// What is captured.
  package let format: VideoFormat
  /// The number of buffers that the driver gave.
  package var bufferCount: Int { pool.count }

  let pool: BufferPool
  let wakeUp: WakeUp
  let silenceNanoseconds: UInt64
  let state = Lock(State())

  /// Gets buffers from the driver and starts the camera.
  ///
  /// - Parameters:
  ///   - format: What `VideoNode.negotiate` gave.
  ///   - bufferCount: How many buffers to ask for; the driver may give fewer or more.
  ///   - noFramesAfterMilliseconds: How long no frame may come, though the driver has buffers, before
  ///     `dequeue` calls that an error.
  /// - Throws: `V4L2Error`: `noBandwidth`, `busy`, `unplugged`, `hardware`, `outOfResources`.
  package init(
    _ node: VideoNode, format: VideoFormat, bufferCount: Int = 4,
    noFramesAfterMilliseconds: Int = 5000
  ) throws(V4L2Error) {
    // Before the first buffer, so that no change goes unseen.
    node.watchSource()
    let wakeUp = try WakeUp(subject: node.path)
    let pool = try BufferPool(mapping: bufferCount, on: node, wakeUp: wakeUp)
    self.node = node
    self.format = format
    self.wakeUp = wakeUp
    self.pool = pool
    silenceNanoseconds = UInt64(max(0, noFramesAfterMilliseconds)) * 1_000_000
    do {
      try pool.start(on: node)
      var type = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
      let now = node.calls.now()
      state.withLock { $0.startTime = now }
      try node.perform(CV4L2_STREAMON, &type, during: .start)
    } catch {
      pool.stop()
      pool.giveBack(node)
      state.withLock { $0.isRunning = false }
      throw error
    }
  }

  deinit { stop() }

  /// Stops the camera; frames that are out on lease stay readable.
  ///
  /// A second time does nothing.
  package func stop() {
    let wasRunning = state.withLock { state in
      defer { state.isRunning = false }
      return state.isRunning
    }
    guard wasRunning else { return }
    pool.stop()
    var type = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    // That the camera is gone, or that old kernels keep buffers that are still mapped, is no matter
    // here: closing the descriptor ends both.
    _ = node.calls.ioctl(node.descriptor, CV4L2_STREAMOFF, &type)
    pool.giveBack(node)
    wake()
  }

  /// Makes the present call of `dequeue` return nil, or the next one where there is none.
  package func wake() {
    state.withLock { $0.isWoken = true }
    wakeUp.signal()
  }

  /// Whether the stream has not been stopped.
  package var isRunning: Bool { state.withLock { $0.isRunning } }

  /// How many frames are missing from the driver's count since the start.
  package var missedFrameCount: Int { state.withLock { $0.missed } }

  /// How many buffers are with the driver, and how many are out on lease.
  package var usage: (queued: Int, leased: Int) { pool.usage }

  /// The changes of controls that `dequeue` has read since the last call; costs no ioctl.
  package func takeControlEvents() -> [ControlEvent] {
    state.withLock { state in
      guard !state.events.isEmpty else { return [] }
      defer { state.events = [] }
      return state.events
    }
  }
}

/// A frame as it comes out of a stream.
package struct DequeuedBuffer: Sendable {
  /// The frame.
  package var buffer: LeasedBuffer
  /// How many frames are missing between this one and the one before.
  package var missedBefore: Int
}
