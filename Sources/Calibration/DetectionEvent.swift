package import BoardDetection

/// What became of one frame, told in the order of the frames.
package struct DetectionEvent: Sendable {
  /// The outcomes.
  package enum Outcome: Sendable {
    /// The board was found.
    case found(DetectedBoard)
    /// The board was not found, for the reason given.
    case notFound(String)
    /// The frame could not be read, for the reason given.
    case unreadable(String)
  }

  /// The file or frame.
  package var source: String
  /// Its place in the frame source, from 0.
  package var index: Int
  /// What became of it.
  package var outcome: Outcome
}
