internal import CV4L2
internal import Glibc

extension FakeCamera.State {
  /// The distance of two rows in bytes, of the first plane; 0 if compressed.
  var bytesPerRow: UInt32 {
    switch format.code {
    case code("YUYV"), code("UYVY"), code("Y16 "): size.width * 2
    case code("GREY"), code("NV12"), code("YU12"): size.width
    case code("RGB3"), code("BGR3"): size.width * 3
    default: 0
    }
  }

  /// The most bytes of a frame.
  var sizeImage: UInt32 {
    switch format.code {
    case code("NV12"), code("YU12"): size.width * size.height * 3 / 2
    default: bytesPerRow == 0 ? size.width * size.height * 2 : bytesPerRow * size.height
    }
  }

  private func code(_ text: String) -> UInt32 { FakeDescription.Format(text, sizes: []).code }

  /// What poll would say.
  mutating func readiness(at now: UInt64) -> Int16 {
    guard isPlugged else { return Int16(POLLERR | POLLHUP) }
    var result: Int16 = events.isEmpty ? 0 : Int16(POLLPRI)
    produce(at: now)
    guard isStreaming else { return result | Int16(POLLERR) }
    if !done.isEmpty || canMakeAtOnce { result |= Int16(POLLIN | POLLRDNORM) }
    return result
  }

  private var canMakeAtOnce: Bool {
    guard case .immediate = pace, isStreaming else { return false }
    return description.overwritesLeased ? !buffers.isEmpty : !queue.isEmpty
  }

  /// Nanoseconds until the next frame; nil where none is due by itself.
  func delay(at now: UInt64) -> UInt64? {
    guard case .interval = pace, isStreaming else { return nil }
    return nextDue > now ? nextDue - now : 0
  }

  private mutating func produce(at now: UInt64) {
    guard case .interval(let interval) = pace, isStreaming, interval > 0 else { return }
    while nextDue <= now {
      emit(at: nextDue)
      nextDue += interval
    }
  }

  /// Makes a frame, a lost one where there is no buffer for it.
  mutating func emit(at time: UInt64) {
    guard isStreaming else { return }
    defer { sequence &+= 1 }
    let index: Int
    if description.overwritesLeased, !buffers.isEmpty {
      index = Int(sequence) % buffers.count
      done.removeAll { $0.index == index }
      queue.removeAll { $0 == index }
    } else if !queue.isEmpty {
      index = queue.removeFirst()
    } else {
      return
    }
    var frame = FakeCamera.Frame(
      sequence: sequence, code: format.code, width: Int(size.width), height: Int(size.height),
      bytesPerRow: Int(bytesPerRow), byteCount: Int(sizeImage), timestampNanoseconds: time)
    let buffer = buffers[index]
    if let start = UnsafeMutableRawPointer(bitPattern: buffer.address) {
      painter(&frame, UnsafeMutableRawBufferPointer(start: start, count: buffer.length))
    }
    buffers[index].isQueued = false
    buffers[index].time = frame.timestampNanoseconds
    done.append(FakeCamera.Done(index: index, frame: frame))
  }

  mutating func requestBuffers(
    _ request: inout v4l2_requestbuffers, from descriptor: Int32
  ) -> Int32 {
    if description.sharesBuffers, !buffers.isEmpty {
      for index in buffers.indices { buffers[index].isMapped = false }
      request.count = min(request.count, UInt32(buffers.count))
      return 0
    }
    if let owner, owner != descriptor { return EBUSY }
    if isStreaming { return EBUSY }
    // V4L2_BUF_CAP_SUPPORTS_MMAP
    if !description.sharesBuffers { request.capabilities = 1 }
    queue = []
    done = []
    buffers = []
    owner = nil
    guard request.count > 0 else { return 0 }
    request.count = min(request.count, description.mostBuffers)
    owner = descriptor
    let length = (Int(sizeImage) + 4095) / 4096 * 4096
    buffers = Array(repeating: FakeCamera.Buffer(length: length), count: Int(request.count))
    return 0
  }

  func query(_ buffer: inout v4l2_buffer) -> Int32 {
    guard buffers.indices.contains(Int(buffer.index)) else { return EINVAL }
    buffer.length = UInt32(buffers[Int(buffer.index)].length)
    // The offset tells map which buffer is meant.
    buffer.m.offset = buffer.index * 4096
    set(&buffer, time: buffers[Int(buffer.index)].time)
    return 0
  }

  mutating func queue(_ buffer: v4l2_buffer) -> Int32 {
    let index = Int(buffer.index)
    guard buffers.indices.contains(index), !buffers[index].isQueued else { return EINVAL }
    buffers[index].isQueued = true
    queue.append(index)
    return 0
  }

  mutating func dequeue(_ buffer: inout v4l2_buffer) -> Int32 {
    guard isStreaming else { return EINVAL }
    produce(at: FakeCamera.now())
    if done.isEmpty, canMakeAtOnce { emit(at: FakeCamera.now()) }
    guard !done.isEmpty else { return EAGAIN }
    let next = done.removeFirst()
    if description.sharesBuffers, !buffers[next.index].isMapped { return EINVAL }
    buffer.index = UInt32(next.index)
    buffer.bytesused = UInt32(next.frame.byteCount)
    buffer.sequence = next.frame.sequence
    set(&buffer, time: next.frame.timestampNanoseconds)
    buffer.flags =
      description.timestampFlags | (next.frame.isDamaged ? UInt32(V4L2_BUF_FLAG_ERROR) : 0)
    return 0
  }

  private func set(_ buffer: inout v4l2_buffer, time: UInt64) {
    buffer.timestamp.tv_sec = Int(time / 1_000_000_000)
    buffer.timestamp.tv_usec = Int(time % 1_000_000_000 / 1000)
  }

  mutating func start() -> Int32 {
    guard !buffers.isEmpty else { return EINVAL }
    isStreaming = true
    sequence = 0
    if case .interval(let interval) = pace { nextDue = FakeCamera.now() + interval }
    return 0
  }

  mutating func stop() -> Int32 {
    isStreaming = false
    queue = []
    done = []
    for index in buffers.indices { buffers[index].isQueued = false }
    return 0
  }
}
