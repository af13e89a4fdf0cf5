internal import CV4L2

extension BufferPool {
  /// Gets buffers from the driver and maps them; nothing is left of them where that fails.
  convenience init(mapping count: Int, on node: VideoNode, wakeUp: WakeUp) throws(V4L2Error) {
    var request = v4l2_requestbuffers()
    request.count = UInt32(clamping: max(1, count))
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    let untouched = UInt32.max
    request.capabilities = untouched
    try node.perform(CV4L2_REQBUFS, &request, during: .requestBuffers)
    // Of v4l2loopback's versions only those that keep readers apart (from 0.14 on) say what they can do.
    let isShared = node.capabilities.isLoopback && request.capabilities == untouched
    guard request.count > 0 else {
      throw V4L2Error(
        code: .outOfResources, subject: node.path, message: "the driver gave no buffers")
    }
    var mappings: [Mapping] = []
    do {
      // 32: the most that any driver gives (VIDEO_MAX_FRAME).
      for index in 0..<min(request.count, 32) {
        mappings.append(try Self.map(index, of: node))
      }
    } catch {
      for mapping in mappings { _ = node.calls.unmap(mapping.address, mapping.length) }
      Self.giveBack(node, areShared: isShared)
      throw error
    }
    self.init(mappings: mappings, isShared: isShared, calls: node.calls, wakeUp: wakeUp)
  }

  private static func map(_ index: UInt32, of node: VideoNode) throws(V4L2Error) -> Mapping {
    var buffer = v4l2_buffer()
    buffer.index = index
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    try node.perform(CV4L2_QUERYBUF, &buffer, during: .mapBuffers)
    var address: UnsafeMutableRawPointer?
    let status = node.calls.map(
      node.descriptor, Int(buffer.length), Int64(buffer.m.offset), &address)
    guard status >= 0, let address else {
      throw V4L2Error(-min(status, 0), during: .mapBuffers, of: node.path)
    }
    return Mapping(
      address: address, length: Int(buffer.length), offset: Int64(buffer.m.offset))
  }

  /// Makes a driver whose buffers are shared know again that they are mapped here; the mappings that
  /// are there stay.
  func mapAgain(on node: VideoNode) throws(V4L2Error) {
    for mapping in mappings {
      var address: UnsafeMutableRawPointer?
      let status = calls.map(node.descriptor, mapping.length, mapping.offset, &address)
      guard status >= 0, let address else {
        throw V4L2Error(-min(status, 0), during: .mapBuffers, of: node.path)
      }
      _ = calls.unmap(address, mapping.length)
    }
  }

  /// Lets the driver free its buffers; shared ones are left to their other readers.
  func giveBack(_ node: VideoNode) { Self.giveBack(node, areShared: isShared) }

  /// The same without a pool.
  static func giveBack(_ node: VideoNode, areShared: Bool = false) {
    guard !areShared else { return }
    var request = v4l2_requestbuffers()
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    _ = node.calls.ioctl(node.descriptor, CV4L2_REQBUFS, &request)
  }
}
