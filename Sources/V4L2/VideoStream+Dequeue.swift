internal import CV4L2
internal import Glibc
internal import Locking

extension VideoStream {
  /// Waits for the next frame.
  ///
  /// Where all buffers are out on lease, the wait is for one of them to come back. Damaged frames are
  /// handed out, too: look at `details`.
  ///
  /// - Parameter timeoutMilliseconds: The longest wait.
  /// - Returns: A frame; nil after the longest wait, after `wake`, or when controls have changed (see
  ///   `takeControlEvents`).
  /// - Throws: `V4L2Error`: `noFrames`, `unplugged`, `hardware`, `notStreaming`, `systemCall`.
  package func dequeue(timeoutMilliseconds: Int) throws(V4L2Error) -> DequeuedBuffer? {
    let calls = node.calls
    let deadline = calls.now() &+ UInt64(max(0, timeoutMilliseconds)) * 1_000_000
    var vainTries = 0
    while true {
      if let failure = pool.takeFailure() { throw failure }
      if try isAskedToReturn() { return nil }
      // Where the driver has no buffer it may call that an error at once, again and again. A driver
      // that says "ready" without a frame gets a pause.
      let isStarved = pool.usage.queued == 0
      let isResting = vainTries > 3
      let now = calls.now()
      let rest = now < deadline ? (deadline - now + 999_999) / 1_000_000 : 0
      let ready = try wait(
        camera: !isStarved && !isResting, milliseconds: isResting ? min(rest, 2) : rest)
      if isResting { vainTries = 0 }
      if ready & Int16(POLLPRI) != 0, try readEvents() { return nil }
      if ready & Int16(POLLIN | POLLERR | POLLHUP | POLLNVAL) != 0 {
        if let frame = try takeFrame() { return frame }
        try complainOfHangUp(ready)
        vainTries += 1
      }
      if isStarved { state.withLock { $0.silence = 0 } }
      if calls.now() >= deadline {
        try complainOfSilence()
        return nil
      }
    }
  }

  /// Waits without taking a frame, until `wake`, or until controls have changed (see
  /// `takeControlEvents`), or the camera is gone: for while there is no room for a frame.
  ///
  /// - Throws: `V4L2Error`: `unplugged`, `sourceChanged`, `hardware`, `notStreaming`, `systemCall`.
  package func watch(timeoutMilliseconds: Int) throws(V4L2Error) {
    if let failure = pool.takeFailure() { throw failure }
    if try isAskedToReturn() { return }
    let ready = try wait(
      camera: true, events: Int16(POLLPRI), milliseconds: UInt64(max(0, timeoutMilliseconds)))
    _ = try isAskedToReturn()
    if ready & Int16(POLLPRI) != 0 { _ = try readEvents() }
    // POLLERR alone says that the driver has no buffer, with some drivers.
    if ready & Int16(POLLHUP | POLLNVAL) != 0 { try complainOfHangUp(ready) }
  }

  /// Whether someone called `wake`, told once.
  private func isAskedToReturn() throws(V4L2Error) -> Bool {
    try state.withLock { state throws(V4L2Error) in
      guard state.isRunning else {
        throw V4L2Error(
          code: .notStreaming, subject: node.path, message: "the stream has been stopped")
      }
      defer { state.isWoken = false }
      return state.isWoken
    }
  }

  /// Waits; returns what poll says of the camera, 0 where it says nothing.
  private func wait(
    camera: Bool, events: Int16 = Int16(POLLIN | POLLPRI), milliseconds: UInt64
  ) throws(V4L2Error) -> Int16 {
    var descriptors = (
      pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: camera ? node.descriptor : -1, events: events, revents: 0)
    )
    let longest = Int32(clamping: milliseconds)
    let start = node.calls.now()
    let status = withUnsafeMutableBytes(of: &descriptors) { bytes in
      node.calls.poll(bytes.bindMemory(to: pollfd.self), longest)
    }
    if events & Int16(POLLIN) != 0 {
      // No longer than was asked for: where this process, or the whole machine, stood still meanwhile, no
      // camera could have sent a frame.
      let waited = min(node.calls.now() &- start, UInt64(longest) * 1_000_000)
      state.withLock { $0.silence += waited }
    }
    guard status >= 0 else {
      if status == -EINTR || status == -EAGAIN { return 0 }
      throw V4L2Error(-status, during: .wait, of: node.path)
    }
    if descriptors.0.revents != 0 { wakeUp.clear() }
    return descriptors.1.revents
  }

  /// Takes a frame that the driver has ready; nil where it has none.
  private func takeFrame() throws(V4L2Error) -> DequeuedBuffer? {
    var buffer = v4l2_buffer()
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    let status = node.calls.ioctl(node.descriptor, CV4L2_DQBUF, &buffer)
    if status == -EAGAIN { return nil }
    guard status >= 0 else {
      // The driver's answer after another thread has stopped the stream.
      if status == -EINVAL, !isRunning { return nil }
      if status == -EINVAL, try mapsAgain() { return nil }
      throw V4L2Error(-status, during: .dequeue, of: node.path)
    }
    let index = Int(buffer.index)
    guard let lease = pool.take(index) else {
      throw V4L2Error(
        code: .hardware, subject: node.path,
        message: "the driver handed out buffer \(index) of \(pool.count)")
    }
    let (details, missed) = state.withLock { state in
      state.silence = 0
      state.vainMappings = 0
      let details = self.details(of: buffer, startTime: state.startTime)
      let missed = details.isStale ? 0 : Self.missed(from: state.lastSequence, to: buffer.sequence)
      if !details.isStale { state.lastSequence = buffer.sequence }
      state.missed += missed
      return (details, missed)
    }
    let leased = LeasedBuffer(
      pool: pool, index: index, byteCount: min(Int(buffer.bytesused), pool.length(of: index)),
      lease: lease, details: details, format: format)
    return DequeuedBuffer(buffer: leased, missedBefore: missed)
  }

  /// Whether buffers are shared and were mapped again, as another program may have made the driver
  /// forget that they are: by beginning to read from the device, too, or by ending that.
  private func mapsAgain() throws(V4L2Error) -> Bool {
    // Another reader needs a moment between the two calls that it begins with.
    let most = 8
    guard pool.isShared,
      state.withLock({ state in
        state.vainMappings += 1
        return state.vainMappings <= most
      })
    else { return false }
    try pool.mapAgain(on: node)
    return true
  }

  private func details(of buffer: v4l2_buffer, startTime: UInt64) -> LeasedBuffer.Details {
    let clock = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    let source = buffer.flags & UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK)
    var details = LeasedBuffer.Details()
    details.sequence = buffer.sequence
    details.timestampNanoseconds = buffer.nanoseconds
    // v4l2loopback stamps by this clock without saying so.
    let isMonotonic =
      clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) || node.capabilities.isLoopback
    details.clock = isMonotonic ? .monotonic : .unknown
    details.instant =
      source == UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE) ? .startOfExposure : .endOfFrame
    details.isCorrupt = buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
    details.isTruncated =
      buffer.bytesused == 0 || Int(buffer.bytesused) < format.completeByteCount ?? 0
    details.isStale = isMonotonic && details.timestampNanoseconds < startTime
    return details
  }

  /// The frames that the driver counted between two that it handed out.
  private static func missed(from last: UInt32?, to sequence: UInt32) -> Int {
    guard let last else { return 0 }
    let gap = sequence &- last &- 1
    // A count that went back has begun anew.
    return gap < UInt32(1) << 31 ? Int(gap) : 0
  }

  private func complainOfHangUp(_ ready: Int16) throws(V4L2Error) {
    guard isRunning else { return }
    if ready & Int16(POLLHUP | POLLNVAL) != 0 {
      throw V4L2Error(ENODEV, during: .wait, of: node.path)
    }
    if ready & Int16(POLLERR) != 0 { throw V4L2Error(EIO, during: .wait, of: node.path) }
  }

  private func complainOfSilence() throws(V4L2Error) {
    let silence = state.withLock { $0.silence }
    guard silence >= silenceNanoseconds else { return }
    let seconds = Double(silence / 100_000_000) / 10
    throw V4L2Error(
      code: .noFrames, subject: node.path,
      message: "the camera is set to \(format) and sent no frame for \(seconds) s; is its cover "
        + "closed, or has its program stopped? Plug it in again, or choose another format or a "
        + "lower rate")
  }
}
