/// Frames that an output did not deliver.
public struct DroppedFrames: Sendable, Hashable {
  /// Why frames are not delivered.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// A newer one came before the consumer was free (`alwaysDiscardsLateVideoFrames`).
    case frameWasLate
    /// The driver had no free buffer, or the camera left them out: its numbers have a gap.
    case outOfBuffers
    /// The driver says that it is damaged, bytes are missing, or they are no picture.
    case corrupt
  }

  /// Why they are not delivered.
  public var reason: Reason
  /// How many there are.
  public var count: Int

  /// Creates a note of dropped frames.
  public init(reason: Reason, count: Int) {
    self.reason = reason
    self.count = count
  }
}

/// What became of an output's frames since the session started.
public struct FrameStatistics: Sendable, Hashable {
  /// Frames that were given to the delegate or to a sequence.
  public var delivered = 0
  /// Frames that were not, by reason.
  public var dropped: [DroppedFrames.Reason: Int] = [:]

  /// Creates empty statistics.
  public init() {}
}
