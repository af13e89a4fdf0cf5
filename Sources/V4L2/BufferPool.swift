internal import CV4L2
internal import Locking

/// The buffers of a stream: where they are mapped, and who has them.
///
/// The mappings live until the stream has stopped and the last lease is gone: each lease holds the
/// pool. Every QBUF happens under the lock and only between start and stop, so that no late release
/// reaches a descriptor that has become another file's.
final class BufferPool: Sendable {
  /// One handing-out of a buffer: the how-manieth of that buffer.
  struct Lease: Sendable, Hashable {
    var generation: UInt64
  }

  private struct Buffer: Sendable {
    /// How often it was handed out.
    var generation: UInt64 = 0
    /// The leases that are out: more than one with v4l2loopback only.
    var leases: Set<UInt64> = []
    var isQueued = false
  }

  private struct State: Sendable {
    /// Set between start and stop.
    var node: VideoNode?
    var buffers: [Buffer]
    /// What a late QBUF failed with; told to whoever waits next.
    var failure: V4L2Error?
  }

  /// A buffer's memory.
  struct Mapping: @unchecked Sendable {
    // Sendable: an address and a length that never change; the memory behind is the driver's to write
    // before it hands a buffer out, and only read by us.
    var address: UnsafeMutableRawPointer
    var length: Int
    /// What the driver knows it by.
    var offset: Int64
  }

  /// Whether all who have the device open read from the same buffers, as with v4l2loopback before 0.14.
  ///
  /// Any REQBUFS, even one for no buffers, makes such a driver forget that the buffers are mapped: the
  /// next DQBUF of every reader then fails with EINVAL, until they are mapped once more.
  let isShared: Bool
  let mappings: [Mapping]
  let calls: V4L2Calls
  private let wakeUp: WakeUp
  private let state: Lock<State>

  init(mappings: [Mapping], isShared: Bool, calls: V4L2Calls, wakeUp: WakeUp) {
    self.mappings = mappings
    self.isShared = isShared
    self.calls = calls
    self.wakeUp = wakeUp
    state = Lock(State(buffers: Array(repeating: Buffer(), count: mappings.count)))
  }

  deinit {
    for mapping in mappings { _ = calls.unmap(mapping.address, mapping.length) }
  }

  var count: Int { mappings.count }

  func address(of index: Int) -> UnsafeRawPointer { UnsafeRawPointer(mappings[index].address) }

  func length(of index: Int) -> Int { mappings[index].length }

  /// How many buffers are with the driver, and how many are out on lease.
  var usage: (queued: Int, leased: Int) {
    state.withLock { state in
      (state.buffers.count { $0.isQueued }, state.buffers.count { !$0.leases.isEmpty })
    }
  }

  /// Gives the driver all buffers that nobody has.
  func start(on node: VideoNode) throws(V4L2Error) {
    try state.withLock { state throws(V4L2Error) in
      state.node = node
      state.failure = nil
      for index in state.buffers.indices where state.buffers[index].leases.isEmpty {
        do throws(V4L2Error) {
          try Self.queue(index, &state)
        } catch {
          state.node = nil
          throw error
        }
      }
    }
  }

  /// From here on nothing is given back to the driver.
  func stop() {
    state.withLock { state in
      state.node = nil
      for index in state.buffers.indices { state.buffers[index].isQueued = false }
    }
  }

  /// Notes that the driver handed a buffer out.
  ///
  /// - Returns: The lease; nil where the driver gave a number that it never had.
  func take(_ index: Int) -> Lease? {
    state.withLock { state in
      guard state.buffers.indices.contains(index) else { return nil }
      state.buffers[index].generation += 1
      state.buffers[index].isQueued = false
      state.buffers[index].leases.insert(state.buffers[index].generation)
      return Lease(generation: state.buffers[index].generation)
    }
  }

  func release(_ index: Int, _ lease: Lease) {
    let isWaitedFor = state.withLock { state in
      guard state.buffers[index].leases.remove(lease.generation) != nil,
        state.buffers[index].leases.isEmpty, state.node != nil
      else { return false }
      let wasEmpty = !state.buffers.contains { $0.isQueued }
      do throws(V4L2Error) {
        try Self.queue(index, &state)
      } catch {
        state.failure = error
        return true
      }
      return wasEmpty
    }
    if isWaitedFor { wakeUp.signal() }
  }

  /// Whether the driver has written into a leased buffer, or may just be about to.
  func isOverwritten(_ index: Int, _ lease: Lease, timestamp: UInt64) -> Bool {
    let (isTakenAgain, node) = state.withLock { state in
      (state.buffers[index].generation != lease.generation, state.node)
    }
    if isTakenAgain { return true }
    guard let node, node.capabilities.isLoopback else { return false }
    // Without the lock: whoever takes frames or gives them back need not wait for the driver's answers. The
    // node is held, so they are this device's; after a stop they may be of other buffers and say nothing.
    let isWritten = isWrittenTo(index, timestamp: timestamp, by: node)
    return state.withLock { state in
      state.buffers[index].generation != lease.generation || (isWritten && state.node === node)
    }
  }

  /// What giving back a buffer failed with, once.
  func takeFailure() -> V4L2Error? {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  private static func queue(_ index: Int, _ state: inout State) throws(V4L2Error) {
    guard let node = state.node else { return }
    var buffer = v4l2_buffer()
    buffer.index = UInt32(index)
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    try node.perform(CV4L2_QBUF, &buffer, during: .queue)
    state.buffers[index].isQueued = true
  }
}
