package import Frames
package import Imaging

/// Watches a camera and keeps distinct, sharp, still views of the board until they are enough.
///
/// Capturing goes on by itself on a thread of its own; looking for the board takes the newest frame each
/// time, so that it neither holds up the camera nor falls behind. What is kept then goes through
/// `CalibrationSession` as photographs do.
package struct LiveSession: Sendable {
  /// What is asked of the calibration.
  package var options: CalibrationOptions
  /// When to end.
  package var live: LiveOptions
  /// Nanoseconds since any moment, never going back.
  package var clock: @Sendable () -> UInt64
  /// Whether to stop and give nothing; asked between two frames.
  package var isCancelled: @Sendable () -> Bool = { false }
  /// Whether the user is content with what there is; asked between two frames.
  package var isFinishRequested: @Sendable () -> Bool = { false }
  /// Called after each frame that was looked at.
  package var onStatus: @Sendable (LiveStatus) -> Void = { _ in }
  /// Called with each kept frame and its name, before the next is looked at.
  package var onKept: @Sendable (GrayImage, String) throws -> Void = { _, _ in }
  /// Called, on the thread of `run`, once no further frame is wanted: ends the source's waiting for
  /// one, so that `run` returns at once.
  package var wakeSource: @Sendable () -> Void = {}
  /// Called, on the thread of `run`, once the autofocus has settled on the board, or did not in time.
  ///
  /// It holds the focus where it stands, and returns what the user should know. Views count from then
  /// on; nil: from the first frame on.
  package var holdFocus: (@Sendable () throws -> [String])?
  /// Called with what the user should know besides.
  package var onNotice: @Sendable (String) -> Void = { _ in }

  /// Creates a session.
  package init(
    options: CalibrationOptions, live: LiveOptions, clock: @escaping @Sendable () -> UInt64
  ) {
    self.options = options
    self.live = live
    self.clock = clock
  }

  /// What was kept, and why it ended.
  package struct Result {
    /// The kept frames.
    package var kept: KeptFrames
    /// Why no further views were taken.
    package var ending: LiveEnding
    /// How it stood at the end; nil where no frame was looked at.
    package var status: LiveStatus?
    /// What became of the frames.
    package var frames: FrameCounts
  }

  /// Watches until one of the ends of `live`.
  ///
  /// - Throws: What the source throws; what `onKept` throws; `CalibrationError`: `interrupted` where
  ///   cancelled, `tooFewViews` where too few views were kept by the end.
  package func run(_ source: sending any FrameSource) throws -> Result {
    let resolution = source.resolution
    let capture = CaptureThread(source, clock: clock)
    guard capture.start() else {
      throw CalibrationError(
        .unsolvable, "The system has no thread left to read the camera with; end other programs.")
    }
    var watch = LiveWatch(self, resolution: resolution, now: clock())
    let ending: LiveEnding
    do {
      ending = try watch.untilEnd(capture.mailbox)
    } catch {
      _ = capture.finish(wakeSource)
      throw error
    }
    let source = capture.finish(wakeSource)
    try watch.checkCount(ending)
    return Result(
      kept: KeptFrames(watch.frames, of: source), ending: ending, status: watch.status,
      frames: capture.mailbox.counts)
  }
}
