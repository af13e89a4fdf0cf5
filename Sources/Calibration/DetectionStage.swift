package import BoardDetection
import Dispatch
import Frames
import Imaging
import Locking

/// A view in which the whole board was found.
package struct DetectedView: Sendable {
  /// The file or frame that it came from.
  package var source: String
  /// Its place in the frame source, from 0.
  package var index: Int
  /// The corners.
  package var board: DetectedBoard
}

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

/// Looks for the board in every frame of a source, several frames at a time.
struct DetectionStage: Sendable {
  /// What finds the board.
  var detector: ChessboardDetector
  /// The number of threads.
  var jobs: Int
  /// Whether to stop before the next frame.
  var isCancelled: @Sendable () -> Bool
  /// Called once a frame, in the order of the frames, by one thread at a time.
  var onEvent: @Sendable (DetectionEvent) -> Void
  /// Called with the picture of each frame, on whichever thread read it; for drawing.
  var inspect: (@Sendable (Frame, GrayImage, ChessboardDetection) -> Void)?

  private struct State {
    var source: any FrameSource
    var failure: (any Error)?
    var finished: [Int: DetectionEvent] = [:]
    var events: [DetectionEvent] = []
    var missed: [Frame] = []
  }

  /// What was found in all frames.
  struct Result {
    /// One event a frame, in the order of the frames.
    var events: [DetectionEvent]
    /// The first few frames without a board, for a closer look.
    var missed: [Frame]
    /// The source, for what it has to say at the end.
    var source: any FrameSource
  }

  /// Reads the source to its end, or until cancelled.
  ///
  /// - Throws: What the source throws, and `CalibrationError` when cancelled.
  func run(_ source: sending any FrameSource) throws -> Result {
    let state = Lock(State(source: source))
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      while !isCancelled(), let frame = nextFrame(state) {
        let event = event(for: frame, state)
        state.withLock { emit(event, &$0) }
      }
    }
    if isCancelled() { throw CalibrationError(.interrupted, "Interrupted: nothing was stored.") }
    let end = state.withLock {
      (($0.failure), Result(events: $0.events, missed: $0.missed, source: $0.source))
    }
    if let failure = end.0 { throw failure }
    return end.1
  }

  private func nextFrame(_ state: Lock<State>) -> Frame? {
    state.withLock { state in
      guard state.failure == nil else { return nil }
      do {
        return try state.source.next()
      } catch {
        state.failure = error
        return nil
      }
    }
  }

  private func event(for frame: Frame, _ state: Lock<State>) -> DetectionEvent {
    let outcome: DetectionEvent.Outcome
    do {
      let image = try frame.grayImage()
      let detection = try detector.detect(in: image)
      inspect?(frame, image, detection)
      switch detection {
      case .found(let board): outcome = .found(board)
      case .notFound(let reason):
        outcome = .notFound(reason)
        state.withLock { if $0.missed.count < 3 { $0.missed.append(frame) } }
      }
    } catch {
      outcome = .unreadable(String(describing: error))
    }
    return DetectionEvent(source: frame.name, index: frame.index, outcome: outcome)
  }

  /// Keeps an event until all frames before it are through, so that what users read does not
  /// depend on which thread was quicker.
  private func emit(_ event: DetectionEvent, _ state: inout State) {
    state.finished[event.index] = event
    while let next = state.finished.removeValue(forKey: state.events.count) {
      state.events.append(next)
      onEvent(next)
    }
  }
}
