package import BoardDetection
import CalibrationSolver
import CornerTables
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
  /// The corners; NaN for those that were not seen, which tables of points may hold.
  package var board: DetectedBoard
  /// The deviation of each corner in a unit that all views share; nil where all are alike.
  package var deviations: [Double]?

  /// The corners that were seen, as indices.
  var seen: [Int] { board.corners.indices.filter { board.corners[$0].isSeen } }

  /// The view for the solver: corners without a sound fit of their own have no say.
  func observed(on board: [SIMD3<Double>]) -> ObservedView {
    let seen = seen
    let doubtful = Set(self.board.doubtfulCorners)
    var view = ObservedView(
      boardPoints: seen.map { board[$0] }, pixels: seen.map { self.board.corners[$0] },
      isUsed: seen.map { !doubtful.contains($0) })
    view.weights = deviations.map { deviations in
      seen.map { 1 / (deviations[$0] * deviations[$0]) }
    }
    return view
  }
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
///
/// Where the first frames all show another board than the one that was asked for, it stops: searching
/// the others in vain takes seconds each.
struct DetectionStage: Sendable {
  /// What finds the board.
  var detector: ChessboardDetector
  /// The number of threads.
  var jobs: Int
  /// Whether to stop before the next frame.
  var isCancelled: @Sendable () -> Bool
  /// Called once a frame, in the order of the frames, by one thread at a time.
  var onEvent: @Sendable (DetectionEvent) -> Void
  /// What reading and detecting cost is told to it.
  var stages = StageClock()
  /// Called with the picture of each frame, on whichever thread read it; for drawing.
  var inspect: (@Sendable (Frame, GrayImage, ChessboardDetection) -> Void)?

  /// A frame with the number of frames that came before it: the frames' own indices have gaps where
  /// only every Nth frame of a video is used.
  private struct Turn {
    var place: Int
    var frame: Frame
  }

  /// So many frames without a board, at the start, are looked at for another board.
  static let trialCount = 4
  /// So many of them must show the same other board.
  static let trialMajority = 3

  private struct State {
    var source: any FrameSource
    /// The other board that the first frames show.
    var otherBoard: OtherBoard?
    var failure: (any Error)?
    var taken = 0
    var finished: [Int: (event: DetectionEvent, missed: Frame?)] = [:]
    var events: [DetectionEvent] = []
    var missed: [Frame] = []
  }

  /// A board of another size than the one asked for.
  struct OtherBoard: Sendable {
    /// Its size.
    var board: BoardSuggestion
    /// One of the frames that show it.
    var example: String
    /// In how many of the first frames it is.
    var count: Int
  }

  /// What was found in all frames.
  struct Result {
    /// One event a frame, in the order of the frames.
    var events: [DetectionEvent]
    /// The first few frames without a board, for a closer look.
    var missed: [Frame]
    /// The other board that the first frames show, and for which the rest was not searched.
    var otherBoard: OtherBoard?
    /// The source, for what it has to say at the end.
    var source: any FrameSource
  }

  /// Reads the source to its end, or until cancelled.
  ///
  /// - Throws: What the source throws, and `CalibrationError` when cancelled.
  func run(_ source: sending any FrameSource) throws -> Result {
    let state = Lock(State(source: source))
    let clock = SearchClock()
    defer { clock.finish(stages) }
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in
      while !isCancelled(), let turn = nextTurn(state, clock) {
        let event = event(for: turn.frame, clock)
        // What an interruption ended says nothing of the frame.
        if isCancelled() { break }
        let trial = state.withLock { emit(event, turn, &$0) }
        guard let trial, let other = otherBoard(in: trial, clock) else { continue }
        state.withLock { $0.otherBoard = other }
      }
    }
    if isCancelled() { throw CalibrationError(.interrupted, "Interrupted: nothing was stored.") }
    let end = state.withLock {
      (
        $0.failure,
        Result(
          events: $0.events, missed: $0.missed, otherBoard: $0.otherBoard, source: $0.source)
      )
    }
    if let failure = end.0 { throw failure }
    return end.1
  }

  private func nextTurn(_ state: Lock<State>, _ clock: SearchClock) -> Turn? {
    state.withLock { state in
      guard state.failure == nil, state.otherBoard == nil else { return nil }
      do {
        guard let frame = try clock.read({ try state.source.next() }) else { return nil }
        defer { state.taken += 1 }
        return Turn(place: state.taken, frame: frame)
      } catch {
        state.failure = error
        return nil
      }
    }
  }

  private func event(for frame: Frame, _ clock: SearchClock) -> DetectionEvent {
    let outcome: DetectionEvent.Outcome
    do {
      let image = try clock.read { try frame.grayImage() }
      let detection = try clock.detect {
        try detector.detect(in: image, isCancelled: isCancelled)
      }
      inspect?(frame, image, detection)
      switch detection {
      case .found(let board): outcome = .found(board)
      case .notFound(let reason): outcome = .notFound(reason)
      }
    } catch {
      // What is told names the frame already.
      let (text, name) = (String(describing: error), frame.name + ": ")
      outcome = .unreadable(text.hasPrefix(name) ? String(text.dropFirst(name.count)) : text)
    }
    return DetectionEvent(source: frame.name, index: frame.index, outcome: outcome)
  }

  /// The other board that most of the frames show; nil where they do not agree.
  private func otherBoard(in frames: [Frame], _ clock: SearchClock) -> OtherBoard? {
    var seen: [BoardSuggestion: [String]] = [:]
    for frame in frames {
      guard !isCancelled(), let image = try? clock.read({ try frame.grayImage() }),
        let board = try? clock.detect({
          try detector.suggestBoard(in: image, isCancelled: isCancelled)
        })
      else { continue }
      seen[board, default: []].append(frame.name)
    }
    guard let (board, names) = seen.first(where: { $0.value.count >= Self.trialMajority })
    else { return nil }
    return OtherBoard(board: board, example: names[0], count: names.count)
  }

  /// Keeps an event until all frames before it are through, so that neither what users read nor
  /// which frames get a closer look depends on which thread was quicker.
  ///
  /// - Returns: The first frames, once, where the board was found in none of them.
  private func emit(_ event: DetectionEvent, _ turn: Turn, _ state: inout State) -> [Frame]? {
    var trial: [Frame]?
    var missed: Frame?
    if case .notFound = event.outcome { missed = turn.frame }
    state.finished[turn.place] = (event, missed)
    while let next = state.finished.removeValue(forKey: state.events.count) {
      state.events.append(next.event)
      if let frame = next.missed, state.missed.count < Self.trialCount {
        state.missed.append(frame)
      }
      onEvent(next.event)
      // Frames that can't be read show no board, neither this nor another.
      if state.events.count == Self.trialCount, state.missed.count == Self.trialCount {
        trial = state.missed
      }
    }
    return trial
  }
}
