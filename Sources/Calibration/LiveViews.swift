import BoardDetection
import Boards
import CalibrationSolver
import CalibrationStore
import CameraModel
import Frames
import Imaging

/// The views that a live calibration keeps: decides on one frame after the other.
///
/// Kept is what is at rest, sharp, and shows the board as no kept view does.
struct LiveViews {
  /// A kept frame.
  struct Kept {
    var image: GrayImage
    var board: DetectedBoard
  }

  private let detector: ChessboardDetector
  private let options: CalibrationOptions
  private let resolution: Resolution

  /// The kept frames in order.
  private(set) var kept: [Kept] = []
  /// The calibration so far.
  private(set) var fit: QuickFit
  /// Whether a board was ever seen.
  private(set) var hasSeenBoard = false
  /// The last picture without a board, for a closer look.
  private(set) var lastWithout: GrayImage?
  private var leastBlur = Double.infinity
  private var tracker = BoardTracker()
  private var searching: LiveSearch?
  /// Frames before this one are no views: the lens moved.
  private var firstCounted: Int
  /// Searches in a row that found nothing.
  private var misses = 0
  /// The frame that was looked at last.
  private var lastLooked: (index: Int, image: GrayImage)?
  /// How long a search is waited for before its frame is left behind, milliseconds.
  private let patience: Int

  /// Two views differ if the corners lie apart by this share of the diagonal, on average: 24 px at
  /// 640x480, about two thirds of a square of a board that fills half the image.
  static let distinctDistance = 0.03
  /// What a search found more than so many frames ago is judged by its own frame: on a machine that
  /// is slow to search, the board may be gone before it is searched for again.
  private static let lateness = 5
  /// Edges may be wider than those of the sharpest board at rest by this factor.
  ///
  /// A camera that is soft throughout is judged by its own best.
  static let blurRatio = 1.5

  /// - Parameters:
  ///   - patience: How long a search is waited for, milliseconds.
  ///   - counts: Whether frames count as views from the first on; else from `count(from:)` on.
  init(
    _ options: CalibrationOptions, resolution: Resolution, patience: Int, counts: Bool = true
  ) {
    firstCounted = counts ? .min : .max
    self.options = options
    self.resolution = resolution
    self.patience = patience
    detector = ChessboardDetector(board: options.board)
    fit = QuickFit(board: options.board, resolution: resolution, options: options)
  }

  /// Decides on the newest frame.
  ///
  /// A board that was seen before is followed, which takes a few milliseconds; else it is searched for,
  /// beside this thread. What a search finds too late for its own frame is followed into the newest one.
  ///
  /// - Throws: `OpenCVError` if the system refuses memory or a process.
  mutating func consider(_ delivery: FrameMailbox.Delivery) throws -> FrameFinding {
    let image: GrayImage
    do { image = try delivery.frame.grayImage() } catch { return .damaged("\(error)") }
    let here = LiveLook(delivery: delivery, image: image)
    defer { lastLooked = (delivery.frame.index, image) }
    if let (search, answer) = try answer(milliseconds: 0) {
      let isLate = here.frame - search.look.frame > Self.lateness
      if let board = answer.board, search.followed == nil, !isLate {
        // What was found just now is better judged by where it is now.
        note(board, search)
      } else if case .kept(let number) = try decide(search, answer) {
        return .kept(number)
      }
    }
    let followed = try tracker.follow(in: image, frame: here.frame)
    if let followed, let objection = try objection(to: followed, here) { return objection }
    if let searching { return searching.followed == nil ? .searching : .checking }
    // What may become a view is searched for as a photograph is: what is not found then is none.
    searching = LiveSearch(
      here, followed: followed, detector, effort: followed == nil ? effort : .whole, fit: fit)
    guard let (search, answer) = try answer(milliseconds: patience) else {
      return followed == nil ? .searching : .checking
    }
    return try decide(search, answer)
  }

  /// Counts views from that frame on.
  mutating func count(from frame: Int) { firstCounted = frame }

  /// How hard a search looks.
  ///
  /// Mostly briefly, as another frame comes soon; where a board may be hard to find, now and then as hard
  /// as in a photograph.
  private var effort: ChessboardDetector.Effort {
    if misses % 16 == 7 { return .whole }
    return misses % 4 == 1 ? .quick : .first
  }

  /// What the search that goes on came to; nil where it still goes on, or there is none.
  private mutating func answer(
    milliseconds: Int
  ) throws -> (search: LiveSearch, answer: LiveSearch.Answer)? {
    guard let search = searching, let answer = search.answer(milliseconds: milliseconds) else {
      return nil
    }
    searching = nil
    return (search, try answer.get())
  }

  /// Decides on a frame that was searched.
  private mutating func decide(
    _ search: LiveSearch, _ answer: LiveSearch.Answer
  ) throws -> FrameFinding {
    guard let board = answer.board else {
      misses += 1
      tracker.lose()
      lastWithout = search.look.image
      return .noBoard
    }
    if note(board, search) {
      // What was confirmed has been judged before.
      guard let grown = answer.fit else { return .misfit }
      fit = grown
    } else {
      if let objection = try objection(to: board, search.look) { return objection }
      guard fit.add(board.observed(on: board.board.cornerPoints)) else { return .misfit }
    }
    kept.append(Kept(image: search.look.image, board: board))
    return .kept(kept.count)
  }

  /// A search has found the board; whether it was where it was followed to, which is then gone on with.
  @discardableResult
  private mutating func note(_ board: DetectedBoard, _ search: LiveSearch) -> Bool {
    misses = 0
    hasSeenBoard = true
    if let followed = search.followed, LiveSearch.agree(followed, board) { return true }
    tracker.found(board, in: search.look.image, frame: search.look.frame)
    return false
  }

  /// Why a frame is no view to keep; nil where nothing speaks against it.
  private mutating func objection(
    to board: DetectedBoard, _ look: LiveLook
  ) throws -> FrameFinding? {
    if let twin = twin(of: board) { return .alike(twin) }
    guard let (index, neighbour) = neighbour(of: look) else { return .alone }
    let before =
      try tracker.corners(inFrame: index) ?? detector.follow(board, in: neighbour)
    let movement = Movement(from: board.corners, to: before)
    guard movement.pixels < Movement.limit else {
      return .moving(movement.pixels.isFinite ? movement.pixels : nil)
    }
    guard look.frame >= firstCounted else { return .focusing(board.blurSigma) }
    leastBlur = min(leastBlur, board.blurSigma)
    guard board.blurSigma <= max(ViewSelection.blurFloor, Self.blurRatio * leastBlur) else {
      return .blurred(board.blurSigma)
    }
    return nil
  }

  /// The nearest earlier frame that is not the same picture.
  ///
  /// Some cameras and drivers give each picture twice, which says nothing of rest. Where all are the
  /// same, nothing moves.
  private func neighbour(of look: LiveLook) -> (index: Int, image: GrayImage)? {
    var same: [(index: Int, image: GrayImage)] = []
    for frame in look.delivery.before {
      // What arrived damaged is no neighbour, nor is what lies before it.
      guard let other = picture(of: frame), other.width == look.image.width,
        other.height == look.image.height
      else { break }
      if other.pixels != look.image.pixels { return (frame.index, other) }
      same.append((frame.index, other))
    }
    return same.count >= FrameMailbox.depth ? same.first : nil
  }

  /// A frame's picture, decoded unless it was looked at right before; nil where it is damaged.
  private func picture(of frame: Frame) -> GrayImage? {
    if let lastLooked, lastLooked.index == frame.index { return lastLooked.image }
    return try? frame.grayImage()
  }

  /// The number of the kept view that shows the board in the same place.
  private func twin(of board: DetectedBoard) -> Int? {
    let limit = Self.distinctDistance * resolution.diagonal
    let index = kept.firstIndex { other in
      ViewSelection.distance(board.corners, other.board.corners) < limit
        // A board that looks the same upside down.
        || ViewSelection.distance(board.corners.reversed(), other.board.corners) < limit
    }
    return index.map { $0 + 1 }
  }
}

extension LiveViews {
  /// Where corners were seen in the kept views, and under which tilts; nil without any.
  var coverage: IntrinsicsRecord.Coverage? {
    guard let solution = fit.solution else { return nil }
    return CoverageMap.coverage(
      pixels: kept.map(\.board.corners), poses: solution.poses, resolution: resolution)
  }

  /// Begins to think, beside this thread, about what the next view should be.
  func advising() -> BackgroundTask<String> {
    BackgroundTask { [fit, coverage, board = options.board] _ in
      LiveAdvice.nextStep(fit, coverage, board)
    }
  }

  /// Begins to work out, beside this thread, the p90 that the whole calibration states for the kept
  /// views, with all its checks and the coefficients that it would choose; nil where none comes about.
  func judgingWhole() -> BackgroundTask<Double?> {
    let boards = kept.map(\.board)
    return BackgroundTask { [options, resolution] _ in
      let detected = boards.enumerated().map {
        DetectedView(source: "", index: $0.offset, board: $0.element)
      }
      let views = detected.map { $0.observed(on: options.board.cornerPoints) }
      let fitting = LensFitting(views, resolution: resolution, options)
      let sample = ViewSelection.mostDifferent(detected, count: StartValues.sampleSize)
      let whole =
        options.lensModel == nil
        ? (try? LensChoice(fitting, sample: sample))?.settled.fit
        : try? fitting.fit(sample: sample)
      guard let fit = whole,
        let covariance = try? ParameterCovariance(fit.solution)
      else { return nil }
      return ProjectionUncertainty(fit.solution, covariance: covariance).p90
    }
  }

  /// A board of another size that the last picture without the board shows; nil where it shows none.
  func suggestion() -> BoardSuggestion? {
    (try? suggesting().answer(milliseconds: 10_000)?.get())?.flatMap(\.self)
  }

  /// Begins to look for that, beside this thread.
  func suggesting() -> BackgroundTask<BoardSuggestion?> {
    BackgroundTask { [detector, lastWithout] _ in
      try lastWithout.flatMap { try detector.suggestBoard(in: $0) }
    }
  }
}
