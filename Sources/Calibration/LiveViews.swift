import BoardDetection
import Boards
import CalibrationSolver
import CalibrationStore
import CameraModel
import Frames
import Glibc
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
  /// The CPU time of a search, seconds.
  private var searchLimit = LiveViews.shortSearch
  /// Searches in a row that found nothing.
  private var misses = 0

  /// Two views differ if the corners lie apart by this share of the diagonal, on average: 24 px at
  /// 640x480, about two thirds of a square of a board that fills half the image.
  static let distinctDistance = 0.03
  /// The least CPU time that a search gets, seconds: enough for the two quick finders that a search
  /// begins with, which between them find nearly all boards.
  static let shortSearch = 0.6
  /// Edges may be wider than those of the sharpest board at rest by this factor.
  ///
  /// A camera that is soft throughout is judged by its own best.
  static let blurRatio = 1.5

  init(_ options: CalibrationOptions, resolution: Resolution) {
    self.options = options
    self.resolution = resolution
    detector = ChessboardDetector(board: options.board)
    fit = QuickFit(board: options.board, resolution: resolution, options: options)
  }

  /// Decides on the newest frame.
  ///
  /// - Throws: `OpenCVError` if the system refuses memory or a process.
  mutating func consider(_ delivery: FrameMailbox.Delivery) throws -> FrameFinding {
    let image: GrayImage
    do { image = try delivery.frame.grayImage() } catch { return .damaged("\(error)") }
    guard let board = try search(image) else {
      lastWithout = image
      return .noBoard
    }
    hasSeenBoard = true
    if let twin = twin(of: board) { return .alike(twin) }
    guard let neighbour = neighbour(of: image, among: delivery.before) else { return .alone }
    let movement = Movement(from: board.corners, to: try detector.follow(board, in: neighbour))
    guard movement.pixels < Movement.limit else {
      return .moving(movement.pixels.isFinite ? movement.pixels : nil)
    }
    leastBlur = min(leastBlur, board.blurSigma)
    guard board.blurSigma <= max(ViewSelection.blurFloor, Self.blurRatio * leastBlur) else {
      return .blurred(board.blurSigma)
    }
    guard fit.add(Self.observed(board)) else { return .misfit }
    kept.append(Kept(image: image, board: board))
    return .kept(kept.count)
  }

  /// Looks for the board, for a short time as a rule: another frame comes soon, and one that takes much
  /// longer is not worth the wait.
  ///
  /// How long that is, the machine decides: a bit more than the last search that found something took.
  /// Where a board may be hard to find, every fourth search has all the time that photographs get.
  private mutating func search(_ image: GrayImage) throws -> DetectedBoard? {
    var detector = detector
    if misses % 4 != 3 {
      detector.options.cpuSecondsSmall = min(detector.options.cpuSecondsSmall, searchLimit)
      detector.options.cpuSecondsLarge = min(detector.options.cpuSecondsLarge, searchLimit)
    }
    let before = Self.searchSeconds
    guard case .found(let board) = try detector.detect(in: image) else {
      misses += 1
      return nil
    }
    misses = 0
    searchLimit = max(Self.shortSearch, 3 * (Self.searchSeconds - before))
    return board
  }

  /// The CPU time that searches have taken: they run in child processes.
  private static var searchSeconds: Double {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  /// The nearest earlier frame that is not the same picture.
  ///
  /// Some cameras and drivers give each picture twice, which says nothing of rest. Where all are the
  /// same, nothing moves.
  private func neighbour(of image: GrayImage, among frames: [Frame]) -> GrayImage? {
    var same: [GrayImage] = []
    for frame in frames {
      // What arrived damaged is no neighbour, nor is what lies before it.
      guard let other = try? frame.grayImage(), other.width == image.width,
        other.height == image.height
      else { break }
      if other.pixels != image.pixels { return other }
      same.append(other)
    }
    return same.count >= FrameMailbox.depth ? same.first : nil
  }

  /// The number of the kept view that shows the board in the same place.
  private func twin(of board: DetectedBoard) -> Int? {
    let limit = Self.distinctDistance * resolution.diagonal
    let index = kept.firstIndex { other in
      Self.distance(board.corners, other.board.corners) < limit
        // A board that looks the same upside down.
        || Self.distance(board.corners.reversed(), other.board.corners) < limit
    }
    return index.map { $0 + 1 }
  }

  private static func distance(_ a: [SIMD2<Double>], _ b: [SIMD2<Double>]) -> Double {
    let sum = zip(a, b).reduce(0) { sum, pair in
      let d = pair.0 - pair.1
      return sum + (d * d).sum().squareRoot()
    }
    return sum / Double(max(1, min(a.count, b.count)))
  }
}

extension LiveViews {
  /// What a board that was found says to the fit.
  static func observed(_ board: DetectedBoard) -> ObservedView {
    let doubtful = Set(board.doubtfulCorners)
    return ObservedView(
      boardPoints: board.board.cornerPoints, pixels: board.corners,
      isUsed: board.corners.indices.map { !doubtful.contains($0) })
  }

  /// Where corners were seen in the kept views, and under which tilts; nil without any.
  var coverage: IntrinsicsRecord.Coverage? {
    guard let solution = fit.solution else { return nil }
    return CoverageMap.coverage(
      pixels: kept.map(\.board.corners), poses: solution.poses, resolution: resolution)
  }

  /// The p90 that the whole calibration states for the kept views, with all its checks and the
  /// coefficients that it would choose; nil where none comes about.
  func wholeP90() -> Double? {
    let views = kept.map { Self.observed($0.board) }
    let detected = kept.enumerated().map {
      DetectedView(source: "", index: $0.offset, board: $0.element.board)
    }
    let fitting = LensFitting(
      views: views, resolution: resolution, lensModel: options.lensModel,
      coefficientCount: options.coefficientCount, jobs: options.jobs)
    let sample = ViewSelection.mostDifferent(detected, count: StartValues.sampleSize)
    guard let fit = try? fitting.fit(sample: sample),
      let covariance = try? ParameterCovariance(fit.solution)
    else { return nil }
    return ProjectionUncertainty(fit.solution, covariance: covariance).p90
  }

  /// A board of another size that the last picture without the board shows; nil where it shows none.
  func suggestion() -> BoardSuggestion? {
    lastWithout.flatMap { try? detector.suggestBoard(in: $0) }
  }
}
