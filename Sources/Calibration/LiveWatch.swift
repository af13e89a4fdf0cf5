import BoardDetection
import Boards
import CalibrationStore
import CameraModel
import Frames

/// The loop of a live calibration: looks at the newest frame, keeps views, and knows when it is over.
struct LiveWatch {
  private let session: LiveSession
  private let goal: Double
  private var views: LiveViews
  private var advice: LiveAdvice
  private var lastKept: UInt64
  private var started: UInt64
  /// While the camera focuses on the board; nil from when its focus is held.
  private var focusing: FocusSettling?
  private var advising: BackgroundTask<String>?
  /// What hands the last kept frame on, which may write a large file.
  private var handingOn: BackgroundTask<Bool>?
  private var hasSuggested = false
  private var suggesting: BackgroundTask<BoardSuggestion?>?
  /// Views in a row that met the goal.
  private var met = 0
  /// The last figure of the whole calibration, once the quick one met the goal.
  private var whole: Double?
  /// What works that figure out, beside this thread.
  private var wholeTask: BackgroundTask<Double?>?

  /// How it stands.
  private(set) var status: LiveStatus?
  /// What was kept, as frames.
  private(set) var frames: [Frame] = []

  /// So many frames after the newest one may have been exposed before the focus was held: as many as
  /// there are buffers, and the one that the sensor is at.
  private static let framesUnderWay = 6
  /// How long waiting for a frame takes before ends are looked at again, milliseconds.
  private static let patience = 50
  /// How long work for one view is waited for when a further view is there already, milliseconds.
  private static let longestWait = 5000
  /// Without a board for so many seconds it is looked whether another board is shown.
  private static let suggestionSeconds = 8.0

  init(_ session: LiveSession, resolution: Resolution, now: UInt64) {
    self.session = session
    goal = session.live.goal.pixels(diagonal: resolution.diagonal)
    views = LiveViews(
      session.options, resolution: resolution, patience: session.live.searchPatience,
      counts: session.holdFocus == nil)
    focusing = session.holdFocus == nil ? nil : FocusSettling()
    advice = LiveAdvice()
    lastKept = now
    started = now
  }

  /// Looks at frames until there are enough, and all that were kept have been handed on.
  mutating func untilEnd(_ mailbox: FrameMailbox) throws -> LiveEnding {
    let ending = try ending(mailbox)
    while handingOn != nil { try finishHandingOn(milliseconds: Self.longestWait) }
    return ending
  }

  private mutating func ending(_ mailbox: FrameMailbox) throws -> LiveEnding {
    while true {
      try CalibrationError.check(session.isCancelled)
      if session.isFinishRequested() {
        if views.kept.count >= LensFitting.fewestViews { return .finished }
        session.onNotice(
          "A calibration needs at least \(LensFitting.fewestViews) views, and 12 or more to be good; "
            + "there \(views.kept.count == 1 ? "is" : "are") \(views.kept.count).")
      }
      if seconds(since: lastKept) > session.live.giveUpSeconds { return .gaveUp }
      try finishHandingOn(milliseconds: 0)
      takeWhole(milliseconds: 0)
      if met >= 2 { return .goal }
      switch mailbox.take(milliseconds: Self.patience) {
      case .nothing: continue
      case .end(let failure):
        if let failure { throw failure }
        return .sourceEnded
      case .delivery(let delivery):
        if let ending = try look(delivery, mailbox) { return ending }
      }
    }
  }

  private mutating func look(
    _ delivery: FrameMailbox.Delivery, _ mailbox: FrameMailbox
  ) throws -> LiveEnding? {
    let finding = try views.consider(delivery)
    try settle(finding, mailbox)
    if case .kept(let number) = finding { try keep(number) }
    takeAdvice(milliseconds: advising == nil ? 0 : session.live.searchPatience)
    mailbox.finish(isDamaged: finding.isDamaged)
    suggestBoard()
    let status = LiveStatus(
      frameIndex: delivery.frame.index, finding: finding, viewCount: views.kept.count,
      p90: whole ?? views.fit.p90, goal: goal, coverage: views.coverage,
      hint: advice.text(finding), frames: mailbox.counts)
    self.status = status
    session.onStatus(status)
    guard case .kept = finding else { return nil }
    if let count = session.live.viewCount { return views.kept.count >= count ? .viewCount : nil }
    return met >= 2 ? .goal : nil
  }

  /// Holds the focus once the camera has focused on the board.
  ///
  /// - Throws: What `holdFocus` throws.
  private mutating func settle(_ finding: FrameFinding, _ mailbox: FrameMailbox) throws {
    var blur: Double?
    if case .focusing(let sigma) = finding { blur = sigma }
    let time = seconds(since: started)
    guard
      let outcome = focusing?.look(
        restingBlur: blur, isSeen: finding.showsBoard, seconds: time)
    else { return }
    focusing = nil
    if outcome == .unsettled {
      session.onNotice(
        "The focus did not come to rest within \(fixed(FocusSettling.longestSeconds, 0)) s of looking at "
          + "the board: it is held where it is. More light and a still board help.")
    }
    for notice in try session.holdFocus?() ?? [] { session.onNotice(notice) }
    // Frames that the driver has already were taken before.
    views.count(from: (mailbox.newestIndex ?? 0) + Self.framesUnderWay)
    lastKept = session.clock()
  }

  private mutating func keep(_ number: Int) throws {
    lastKept = session.clock()
    // The figure for the view before counts, too.
    takeWhole(milliseconds: Self.longestWait)
    while handingOn != nil { try finishHandingOn(milliseconds: Self.longestWait) }
    advising = views.advising()
    let name = session.live.namePrefix + KeptFrames.fileName(ofView: number)
    let image = views.kept[number - 1].image
    handingOn = BackgroundTask { [onKept = session.onKept] _ in
      try onKept(image, name)
      return true
    }
    // Held to the end whatever becomes of it.
    frames.append(Frame(name: name, index: number - 1) { image })
    whole = nil
    guard session.live.viewCount == nil, number >= LiveOptions.fewestViewsForGoal - 1,
      let p90 = views.fit.p90, p90 <= goal
    else {
      met = 0
      return
    }
    // The quick fit has the fewest coefficients, which flatters: the whole calibration decides.
    wholeTask = views.judgingWhole()
    takeWhole(milliseconds: session.live.searchPatience)
  }

  /// Looks whether the last kept frame was handed on.
  ///
  /// - Throws: What `onKept` threw.
  private mutating func finishHandingOn(milliseconds: Int) throws {
    guard let answer = handingOn?.answer(milliseconds: milliseconds) else { return }
    handingOn = nil
    _ = try answer.get()
  }

  /// Takes the advice for the next view, once it is there.
  private mutating func takeAdvice(milliseconds: Int) {
    guard let answer = advising?.answer(milliseconds: milliseconds) else { return }
    advising = nil
    if let sentence = try? answer.get() { advice.nextStep = sentence }
  }

  /// Takes the whole calibration's figure, once it is there.
  private mutating func takeWhole(milliseconds: Int) {
    guard let answer = wholeTask?.answer(milliseconds: milliseconds) else { return }
    wholeTask = nil
    whole = (try? answer.get()).flatMap(\.self)
    if let whole { status?.p90 = whole }
    met = whole.map { $0 <= goal } ?? false ? met + 1 : 0
  }

  /// Says once that another board is shown than the one that is looked for.
  private mutating func suggestBoard() {
    guard !hasSuggested, !views.hasSeenBoard else { return }
    if suggesting == nil, seconds(since: started) > Self.suggestionSeconds {
      suggesting = views.suggesting()
    }
    guard let answer = suggesting?.answer(milliseconds: session.live.searchPatience) else { return }
    (hasSuggested, suggesting) = (true, nil)
    let board = session.options.board
    let other = (try? answer.get()).flatMap(\.self).map {
      "The camera shows \($0): if that is the board, start again with --board \($0.columns)x\($0.rows)."
    }
    session.onNotice(
      other
        ?? "No \(board.columns)x\(board.rows) board was seen yet. --board counts inner corners: a board "
        + "of 10x7 squares is 9x6. The whole board must be in the image, with its white margin.")
  }

  /// Refuses to go on with too few views.
  ///
  /// - Throws: `CalibrationError` that says what to do.
  func checkCount(_ ending: LiveEnding) throws(CalibrationError) {
    let count = views.kept.count
    let needed = ending == .gaveUp ? LiveOptions.fewestViewsForGoal : LensFitting.fewestViews
    guard count < needed else { return }
    let board = "\(session.options.board.columns)x\(session.options.board.rows)"
    guard views.hasSeenBoard else {
      let advice =
        views.suggestion().map { "The camera shows \($0): try --board \($0.columns)x\($0.rows)." }
        ?? "--board counts inner corners, columns x rows: a board of 10x7 squares is 9x6. The whole "
        + "board must be in the image, with its white margin, in good light."
      throw CalibrationError(
        .tooFewViews, "No \(board) board was seen\(Self.words(ending, session.live)). \(advice)")
    }
    throw CalibrationError(
      .tooFewViews,
      "Only \(count) view\(count == 1 ? " was" : "s were") kept\(Self.words(ending, session.live)); a "
        + "calibration needs at least \(needed) here. The last advice was: "
        + (status?.hint ?? advice.nextStep))
  }

  private static func words(_ ending: LiveEnding, _ live: LiveOptions) -> String {
    switch ending {
    case .gaveUp: " and none was added for \(fixed(live.giveUpSeconds, 0)) s (--give-up)"
    case .sourceEnded: " until the frames ended"
    default: ""
    }
  }

  private func seconds(since time: UInt64) -> Double {
    Double(session.clock() &- time) / 1e9
  }
}
