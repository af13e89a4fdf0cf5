internal import CV4L2
package import Glibc

/// The system calls by which cameras are reached, in one place, so that a test can play a driver and
/// make each of them fail.
///
/// Each returns a number of at least 0, or an `errno` value negated. None repeats a call that a signal
/// interrupted: whoever calls does.
package struct V4L2Calls: Sendable {
  /// Opens a device file for reading and writing, non-blocking; gives a descriptor.
  package var open: @Sendable (_ path: String) -> Int32
  /// Closes a descriptor.
  package var close: @Sendable (_ descriptor: Int32) -> Int32
  /// One ioctl; the argument is the structure that `linux/videodev2.h` has for the request.
  package var ioctl:
    @Sendable (_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32
  /// Maps a driver's buffer.
  package var map:
    @Sendable (
      _ descriptor: Int32, _ length: Int, _ offset: Int64,
      _ address: inout UnsafeMutableRawPointer?
    ) -> Int32
  /// Unmaps it.
  package var unmap: @Sendable (_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32
  /// Waits for descriptors, at most so many milliseconds.
  package var poll:
    @Sendable (_ descriptors: UnsafeMutableBufferPointer<pollfd>, _ milliseconds: Int32) -> Int32
  /// The time of CLOCK_MONOTONIC in nanoseconds, which drivers stamp buffers with.
  package var now: @Sendable () -> UInt64
  /// Whether they reach the system's drivers, so that another process can, too.
  package private(set) var isSystem = false

  /// Creates a set of calls.
  package init(
    open: @escaping @Sendable (String) -> Int32,
    close: @escaping @Sendable (Int32) -> Int32,
    ioctl: @escaping @Sendable (Int32, UInt, UnsafeMutableRawPointer) -> Int32,
    map: @escaping @Sendable (Int32, Int, Int64, inout UnsafeMutableRawPointer?) -> Int32,
    unmap: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Int32,
    poll: @escaping @Sendable (UnsafeMutableBufferPointer<pollfd>, Int32) -> Int32,
    now: @escaping @Sendable () -> UInt64
  ) {
    self.open = open
    self.close = close
    self.ioctl = ioctl
    self.map = map
    self.unmap = unmap
    self.poll = poll
    self.now = now
  }

  /// Those of the system.
  package static let system: V4L2Calls = {
    var calls = systemCalls
    calls.isSystem = true
    return calls
  }()

  private static let systemCalls = V4L2Calls(
    open: { cv4l2_open($0) },
    close: { cv4l2_close($0) },
    ioctl: { cv4l2_ioctl($0, $1, $2) },
    map: { cv4l2_map($0, $1, $2, &$3) },
    unmap: { cv4l2_unmap($0, $1) },
    poll: { descriptors, milliseconds in
      let count = Glibc.poll(descriptors.baseAddress, nfds_t(descriptors.count), milliseconds)
      return count < 0 ? -errno : count
    },
    now: {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    })
}

extension V4L2Calls {
  /// An ioctl on a structure, repeated as long as signals interrupt it.
  func ioctl<Argument>(
    _ descriptor: Int32, _ request: UInt, _ argument: inout Argument
  ) -> Int32 {
    while true {
      let status = withUnsafeMutablePointer(to: &argument) {
        ioctl(descriptor, request, UnsafeMutableRawPointer($0))
      }
      if status != -EINTR { return status }
    }
  }
}
