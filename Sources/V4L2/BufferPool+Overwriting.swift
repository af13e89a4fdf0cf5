internal import CV4L2

extension BufferPool {
  /// Whether v4l2loopback has written another frame into a buffer, or may be writing it now.
  ///
  /// It writes into its buffers in turn, whoever has them, and notes the time once a frame is whole. So
  /// one is safe as long as its time stands and there is an older one, whose buffer is written to before.
  func isWrittenTo(_ index: Int, timestamp: UInt64, by node: VideoNode) -> Bool {
    var isOldest = true
    var isNewest = true
    for other in 0..<count {
      var buffer = v4l2_buffer()
      buffer.index = UInt32(other)
      buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
      buffer.memory = V4L2_MEMORY_MMAP.rawValue
      // A driver that is gone writes nothing.
      guard node.calls.ioctl(node.descriptor, CV4L2_QUERYBUF, &buffer) >= 0 else { return false }
      let time = buffer.nanoseconds
      if other == index, time != timestamp { return true }
      if time < timestamp { isOldest = false }
      if time > timestamp { isNewest = false }
    }
    // Where nothing came after it, what comes next goes elsewhere.
    return isOldest && !isNewest
  }
}

extension v4l2_buffer {
  /// When the frame was taken.
  var nanoseconds: UInt64 {
    UInt64(clamping: timestamp.tv_sec) &* 1_000_000_000
      &+ UInt64(clamping: timestamp.tv_usec) &* 1000
  }
}
