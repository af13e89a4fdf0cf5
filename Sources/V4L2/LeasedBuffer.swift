/// A frame in the driver's memory, lent until it is released.
///
/// Reading is possible from any thread, also after the stream has stopped and after the camera was
/// unplugged, until `release` or the end of the last reference. A driver has few buffers: whoever keeps
/// them all gets no more frames.
package final class LeasedBuffer: Sendable {
  /// The clock of `timestampNanoseconds`.
  package enum Clock: String, Sendable, Hashable {
    /// CLOCK_MONOTONIC.
    case monotonic
    /// The driver does not say.
    case unknown
  }

  /// The instant of `timestampNanoseconds`.
  package enum Instant: String, Sendable, Hashable {
    case startOfExposure
    case endOfFrame
  }

  /// What is known of a frame beside its bytes.
  package struct Details: Sendable, Hashable {
    /// The driver's count of frames since the start, dropped ones included.
    package var sequence: UInt32 = 0
    /// When the frame was taken.
    package var timestampNanoseconds: UInt64 = 0
    /// The clock that tells so.
    package var clock = Clock.unknown
    /// The instant that is meant.
    package var instant = Instant.endOfFrame
    /// The driver says that the frame is damaged (`V4L2_BUF_FLAG_ERROR`).
    package var isCorrupt = false
    /// The frame has fewer bytes than its format needs; never set for MJPG, whose end only a look at
    /// its bytes finds.
    package var isTruncated = false
    /// The frame was taken before the stream started: v4l2loopback hands out such a one first.
    package var isStale = false

    /// Whether the frame must not be used to measure anything.
    package var isUnusable: Bool { isCorrupt || isTruncated || isStale }
  }

  /// What is known of the frame.
  package let details: Details
  /// The format that it was captured in.
  package let format: VideoFormat
  /// The frame's bytes, as many as the driver says it used; not to be touched after `release`.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: pool.address(of: index), count: byteCount)
  }

  private let pool: BufferPool
  private let index: Int
  private let byteCount: Int
  private let lease: BufferPool.Lease

  init(
    pool: BufferPool, index: Int, byteCount: Int, lease: BufferPool.Lease, details: Details,
    format: VideoFormat
  ) {
    self.pool = pool
    self.index = index
    self.byteCount = byteCount
    self.lease = lease
    self.details = details
    self.format = format
  }

  deinit { pool.release(index, lease) }

  /// Gives the buffer back to the driver; a second time does nothing.
  ///
  /// The end of the last reference does it, too.
  package func release() { pool.release(index, lease) }

  /// Whether the driver has meanwhile put a later frame into the same memory, or may be about to.
  ///
  /// Only v4l2loopback does so, which does not wait for buffers to come back: to be asked *after* the
  /// bytes were read.
  package var isOverwritten: Bool {
    pool.isOverwritten(index, lease, timestamp: details.timestampNanoseconds)
  }

  /// The driver's count of frames.
  package var sequence: UInt32 { details.sequence }
  /// When the frame was taken, by `details.clock`.
  package var timestampNanoseconds: UInt64 { details.timestampNanoseconds }
  /// Whether the driver says that the frame is damaged.
  package var isCorrupt: Bool { details.isCorrupt }
}
