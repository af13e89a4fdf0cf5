import CV4L2
import Glibc
import Locking
import V4L2

/// A driver that answers at once and does nothing, so that what is measured is not the driver.
///
/// It notes how much CPU time the thread that takes frames has used, at two frames.
final class IdleDriver: Sendable {
  private struct State: Sendable {
    var queued: [UInt32] = []
    var sequence: UInt32 = 0
    var mappings: [Int] = []
    var start: UInt64?
    var end: UInt64?
  }

  private let width: UInt32
  private let height: UInt32
  private let first: UInt32
  private let last: UInt32
  private let pauseMicroseconds: UInt32
  private let state = WaitableLock(State())

  /// - Parameters:
  ///   - first: The frame at which the measurement begins.
  ///   - frames: How many frames it lasts.
  ///   - pauseMicroseconds: How long poll sleeps before each frame.
  init(
    width: UInt32 = 1920, height: UInt32 = 1080, first: UInt32 = 2000, frames: UInt32,
    pauseMicroseconds: UInt32 = 0
  ) {
    self.width = width
    self.height = height
    self.first = first
    last = first + frames
    self.pauseMicroseconds = pauseMicroseconds
  }

  /// Waits for the measurement's end; nanoseconds of CPU time a frame.
  func nanosecondsAFrame() -> Double? {
    let times = state.wait(milliseconds: 120_000) { state -> (UInt64, UInt64)? in
      guard let start = state.start, let end = state.end else { return nil }
      return (start, end)
    }
    return times.map { Double($0.1 - $0.0) / Double(last - first) }
  }

  var calls: V4L2Calls {
    V4L2Calls(
      open: { _ in cv4l2_make_event() }, close: { cv4l2_close($0) },
      ioctl: { self.ioctl($1, $2) },
      map: { _, length, _, address in
        address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return address == MAP_FAILED ? -errno : 0
      },
      unmap: { munmap($0, $1) },
      poll: { descriptors, _ in
        if self.pauseMicroseconds > 0 { usleep(self.pauseMicroseconds) }
        guard descriptors.count > 1 else { return 0 }
        descriptors[0].revents = 0
        descriptors[1].revents = Int16(POLLIN)
        return 1
      },
      now: { 1_000_000_000 })
  }

  private func ioctl(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
    switch request {
    case CV4L2_QUERYCAP:
      let answer = argument.assumingMemoryBound(to: v4l2_capability.self)
      answer.pointee.capabilities = 0x8420_0001
      answer.pointee.device_caps = 0x0420_0001
    case CV4L2_ENUM_FMT:
      let answer = argument.assumingMemoryBound(to: v4l2_fmtdesc.self)
      guard answer.pointee.index == 0 else { return -EINVAL }
      answer.pointee.pixelformat = 0x5659_5559
    case CV4L2_ENUM_FRAMESIZES:
      let answer = argument.assumingMemoryBound(to: v4l2_frmsizeenum.self)
      guard answer.pointee.index == 0 else { return -EINVAL }
      answer.pointee.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
      answer.pointee.discrete = v4l2_frmsize_discrete(width: width, height: height)
    case CV4L2_G_FMT, CV4L2_S_FMT:
      let answer = argument.assumingMemoryBound(to: v4l2_format.self)
      answer.pointee.fmt.pix.width = width
      answer.pointee.fmt.pix.height = height
      answer.pointee.fmt.pix.pixelformat = 0x5659_5559
      answer.pointee.fmt.pix.field = V4L2_FIELD_NONE.rawValue
      answer.pointee.fmt.pix.bytesperline = 2 * width
      answer.pointee.fmt.pix.sizeimage = 2 * width * height
    case CV4L2_REQBUFS:
      let count = argument.assumingMemoryBound(to: v4l2_requestbuffers.self).pointee.count
      if count == 0 { state.withLock { $0.queued = [] } }
    case CV4L2_QUERYBUF:
      let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
      buffer.pointee.length = 2 * width * height
    case CV4L2_QBUF:
      let index = argument.assumingMemoryBound(to: v4l2_buffer.self).pointee.index
      state.withLock { $0.queued.append(index) }
    case CV4L2_DQBUF:
      return dequeue(&argument.assumingMemoryBound(to: v4l2_buffer.self).pointee)
    case CV4L2_STREAMON, CV4L2_STREAMOFF: break
    default: return -ENOTTY
    }
    return 0
  }

  private func dequeue(_ buffer: inout v4l2_buffer) -> Int32 {
    let (index, sequence) = state.withLock { state -> (UInt32?, UInt32) in
      guard !state.queued.isEmpty else { return (nil, 0) }
      state.sequence += 1
      return (state.queued.removeFirst(), state.sequence)
    }
    guard let index else { return -EAGAIN }
    buffer.index = index
    buffer.bytesused = 2 * width * height
    buffer.sequence = sequence
    buffer.flags = 0x2000
    buffer.timestamp.tv_sec = 2
    if sequence == first || sequence == last {
      let now = threadNanoseconds()
      state.change { state in
        if sequence == first { state.start = now } else { state.end = now }
      }
    }
    return 0
  }
}

/// The CPU time that the calling thread has used.
func threadNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
