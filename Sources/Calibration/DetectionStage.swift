import BoardDetection
import Frames
import Glibc
import Imaging
import Locking
import OpenCV

/// Looks for the board in every frame of a source, several frames at a time.
///
/// Where the first frames all show another board than the one that was asked for, it stops: searching
/// the others in vain takes seconds each. Until that is known, frames in which the quick search finds
/// nothing wait for the long one.
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

  /// A frame in which the quick search found nothing.
  private struct Waiting {
    var turn: Turn
    var image: GrayImage
    var search: BoardSearch
  }

  /// What a thread does next.
  private enum Task {
    /// Look at a frame; `briefly` while it may be one of another board.
    case look(Turn, briefly: Bool)
    /// Go on with a search.
    case resume(Waiting)
    /// Ask again in a moment.
    case pause
  }

  /// So many frames may wait with their pictures.
  private static let mostWaiting = 8

  private struct State {
    var source: any FrameSource
    var trial = BoardTrial()
    var waiting: [Waiting] = []
    var failure: (any Error)?
    var taken = 0
    var hasEnded = false
    var finished: [Int: (event: DetectionEvent, missed: Frame?)] = [:]
    var events: [DetectionEvent] = []
    var missed: [Frame] = []
    var again: [Int: Frame] = [:]
    /// The places of frames that show more than the board.
    var parts: Set<Int> = []
  }

  /// What was found in all frames.
  struct Result {
    /// One event a frame, in the order of the frames.
    var events: [DetectionEvent]
    /// The first few frames without the whole board, for a closer look.
    var missed: [Frame]
    /// The frames with the board, by index, that can be had once more: not those of a video.
    var again: [Int: Frame]
    /// The other board that the first frames show, and for which the rest was not searched.
    var otherBoard: BoardTrial.OtherBoard?
    /// The source, for what it has to say at the end.
    var source: any FrameSource
  }

  /// Reads the source to its end, or until cancelled.
  ///
  /// - Throws: What the source throws, and `CalibrationError` when cancelled.
  func run(_ source: sending any FrameSource) throws -> Result {
    let state = Lock(State(source: source))
    let clock = SearchClock()
    defer {
      // Their time is known once they have ended.
      ChessboardSearch.endIdleProcesses()
      clock.finish(stages)
    }
    Parallel.forEach(jobs, jobs: jobs) { _ in
      while !isCancelled(), let task = nextTask(state, clock) {
        switch task {
        case .look(let turn, let briefly): look(turn, briefly: briefly, state, clock)
        case .resume(let waiting): finish(waiting, state, clock)
        // A few hundred of these at the most, once a source.
        case .pause: usleep(1000)
        }
        if let frames = state.withLock({ $0.trial.begin() }) {
          let other = otherBoard(in: frames, state, clock)
          state.withLock { $0.trial.end(other) }
        }
      }
    }
    try CalibrationError.check(isCancelled)
    let end = state.withLock {
      (
        $0.failure,
        Result(
          events: $0.events, missed: $0.missed, again: $0.again,
          otherBoard: $0.trial.otherBoard, source: $0.source)
      )
    }
    if let failure = end.0 { throw failure }
    return end.1
  }

  private func nextTask(_ state: Lock<State>, _ clock: SearchClock) -> Task? {
    state.withLock { state in
      guard state.failure == nil, state.trial.otherBoard == nil else { return nil }
      let isOpen = state.trial.isOpen
      if state.trial.isRunning, state.hasEnded || state.waiting.count >= Self.mostWaiting {
        return .pause
      }
      if !state.waiting.isEmpty,
        !isOpen || state.hasEnded || state.waiting.count >= Self.mostWaiting
      {
        return .resume(state.waiting.removeFirst())
      }
      do {
        if !state.hasEnded, let frame = try clock.read({ try state.source.next() }) {
          defer { state.taken += 1 }
          return .look(Turn(place: state.taken, frame: frame), briefly: isOpen)
        }
        state.hasEnded = true
        if state.trial.isRunning { return .pause }
        return state.waiting.isEmpty ? nil : .resume(state.waiting.removeFirst())
      } catch {
        state.failure = error
        return nil
      }
    }
  }

  /// Reads a frame and searches it, only quickly at first where `briefly`.
  private func look(
    _ turn: Turn, briefly: Bool, _ state: Lock<State>, _ clock: SearchClock
  ) {
    do {
      let image = try clock.read {
        try DecodingCancellation.withCheck(isCancelled) { try turn.frame.grayImage() }
      }
      var search = BoardSearch(detector, width: image.width, height: image.height)
      if briefly {
        let isSettled = try clock.detect {
          try search.run(in: image, effort: .first, isCancelled: isCancelled)
        }
        let waiting = Waiting(turn: turn, image: image, search: search)
        let board = search.answer.board
        let kind: BoardTrial.Kind =
          board.map { detector.isPart($0, in: image) ? .part : .board } ?? .noBoard
        let waits = state.withLock { state in
          state.trial.note(kind, turn.frame, at: turn.place)
          if kind == .part { state.parts.insert(turn.place) }
          guard !isSettled, board == nil else { return false }
          state.waiting.append(waiting)
          return true
        }
        if waits { return }
      }
      finish(Waiting(turn: turn, image: image, search: search), state, clock)
    } catch {
      state.withLock { $0.trial.note(.unreadable, turn.frame, at: turn.place) }
      finish(turn, .unreadable(Self.reason(error, turn.frame)), state)
    }
  }

  /// Searches a frame to the end.
  private func finish(_ waiting: Waiting, _ state: Lock<State>, _ clock: SearchClock) {
    var search = waiting.search
    do {
      _ = try clock.detect {
        try search.run(
          in: waiting.image, effort: detector.options.effort,
          isCancelled: { isCancelled() || state.withLock { $0.trial.otherBoard != nil } })
      }
      finish(waiting.turn, waiting.image, search.answer, state)
    } catch {
      finish(waiting.turn, .unreadable(Self.reason(error, waiting.turn.frame)), state)
    }
  }

  private func finish(
    _ turn: Turn, _ image: GrayImage, _ detection: ChessboardDetection, _ state: Lock<State>
  ) {
    // What was given up says nothing of the frame.
    if isCancelled() || state.withLock({ $0.trial.otherBoard != nil }) { return }
    inspect?(turn.frame, image, detection)
    switch detection {
    case .found(let board): finish(turn, .found(board), state)
    case .notFound(let reason): finish(turn, .notFound(reason), state)
    }
  }

  private func finish(_ turn: Turn, _ outcome: DetectionEvent.Outcome, _ state: Lock<State>) {
    if isCancelled() { return }
    let event = DetectionEvent(source: turn.frame.name, index: turn.frame.index, outcome: outcome)
    state.withLock { emit(event, turn, &$0) }
  }

  private static func reason(_ error: any Error, _ frame: Frame) -> String {
    // What is told names the frame already.
    let (text, name) = (String(describing: error), frame.name + ": ")
    return text.hasPrefix(name) ? String(text.dropFirst(name.count)) : text
  }

  /// The other board that the first frames show; nil where they show none, or do not agree.
  ///
  /// Tells of those that wait, where they show one.
  private func otherBoard(
    in frames: [BoardTrial.Candidate], _ state: Lock<State>, _ clock: SearchClock
  ) -> BoardTrial.OtherBoard? {
    // Those that wait have their pictures with them.
    let waiting = state.withLock { state in
      state.waiting.filter { waits in frames.contains { $0.place == waits.turn.place } }
    }
    let other = BoardTrial.otherBoard(in: frames) { frame, seen in
      guard !isCancelled() else { return nil }
      if var waits = waiting.first(where: { $0.turn.place == frame.place }) {
        let sighting = try? clock.detect {
          try waits.search.sightOtherBoard(in: waits.image, seen: seen, isCancelled: isCancelled)
        }
        // What that took is gone for the search that follows.
        state.withLock { [waits] state in
          guard let place = state.waiting.firstIndex(where: { $0.turn.place == frame.place }) else {
            return
          }
          state.waiting[place] = waits
        }
        return sighting ?? nil
      }
      guard let image = try? clock.read({ try frame.frame.grayImage() }) else { return nil }
      return try? clock.detect {
        try detector.sightOtherBoard(in: image, seen: seen, isCancelled: isCancelled)
      }
    }
    guard let other, !isCancelled() else { return nil }
    // Two boards in the picture? One frame is searched for the right one before all are given up.
    if var doubt = waiting.first(where: { other.names.contains($0.turn.frame.name) }) {
      _ = try? clock.detect {
        try doubt.search.run(in: doubt.image, effort: .quick, isCancelled: isCancelled)
      }
      if let board = doubt.search.answer.board, !detector.isPart(board, in: doubt.image) {
        return nil
      }
    }
    let told = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting.filter { waits in frames.contains { $0.place == waits.turn.place } }
    }
    for waiting in told {
      let isShown = other.names.contains(waiting.turn.frame.name)
      finish(
        waiting.turn, waiting.image,
        .notFound(reason: isShown ? "it shows \(other.board)" : "nothing looks like the board"),
        state)
    }
    return other
  }

  /// Keeps an event until all frames before it are through, so that neither what users read nor
  /// which frames get a closer look depends on which thread was quicker.
  private func emit(_ event: DetectionEvent, _ turn: Turn, _ state: inout State) {
    var missed: Frame?
    switch event.outcome {
    case .notFound: missed = turn.frame
    case .found:
      if turn.frame.isLight { state.again[event.index] = turn.frame }
      missed = state.parts.contains(turn.place) ? turn.frame : nil
    case .unreadable: break
    }
    state.finished[turn.place] = (event, missed)
    while let next = state.finished.removeValue(forKey: state.events.count) {
      state.events.append(next.event)
      if let frame = next.missed, state.missed.count < BoardTrial.count {
        state.missed.append(frame)
      }
      onEvent(next.event)
    }
  }
}
