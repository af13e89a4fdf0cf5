import BoardDetection
import CalibrationSolver
import CalibrationStore
import CameraModel
import Frames
import Locking
import OpenCV

/// A second search, by the other finder, of views that the first solution explains badly.
///
/// Of both answers the one is kept that the solution explains better, each with the pose that suits it.
struct SecondLook: Sendable {
  /// The views that are searched once more, as places in `ViewSelection.kept`, the worst first.
  var places: [Int] = []
  /// The answers that are better than the first, by the same places.
  var better: [Int: Answer] = [:]

  /// What the other finder saw.
  struct Answer: Sendable {
    /// The board.
    var board: DetectedBoard
    /// The RMS of all corners under the solution, pixels: of the first answer (infinite where there is no
    /// pose for it) and of this one.
    var rms: (first: Double, second: Double)
  }

  /// Looked at once more is what is off by so many times the median of all views...
  static let notableRatio = 2.0
  /// ...and by so many pixels: below, both finders' corners are refined to the same place.
  static let notableRMS = 0.3
  /// At the most this share of the views, and so many: where more are off it is not the finder.
  static let (largestShare, mostViews) = (0.25, 8)
  /// The second answer is better below this share of the first one's RMS: less is chance.
  static let gain = 0.9

  /// Finds the views that are worth it, among those whose frames can be had once more.
  init(
    _ fit: LensFit, _ selection: ViewSelection, _ frames: [Int: Frame],
    boardPoints: [SIMD3<Double>]
  ) {
    let rms = selection.kept.map { view in
      Explanation(fit.solution).rms(of: view.board, on: boardPoints) ?? .infinity
    }
    let sorted = fit.members.map { rms[$0] }.sorted()
    guard !sorted.isEmpty else { return }
    let limit = max(Self.notableRMS, Self.notableRatio * sorted[sorted.count / 2])
    let most = min(Self.mostViews, Int(Self.largestShare * Double(rms.count)))
    places = Array(
      rms.indices.filter { rms[$0] > limit && frames[selection.kept[$0].index] != nil }.sorted {
        rms[$0] == rms[$1] ? $0 < $1 : rms[$0] > rms[$1]
      }.prefix(most))
  }

  /// Searches them, on several threads.
  ///
  /// What can't be read any more, or is not to be had, keeps its first answer.
  mutating func search(
    _ frames: [Int: Frame], _ selection: ViewSelection, _ detector: ChessboardDetector,
    _ fit: LensFit, boardPoints: [SIMD3<Double>], jobs: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    let views = places.map { selection.kept[$0] }
    let explanation = Explanation(fit.solution)
    let answers = Parallel.map(views.count, jobs: jobs) { index -> Answer? in
      let view = views[index]
      guard !isCancelled(), let frame = frames[view.index], let image = try? frame.grayImage(),
        let board = try? detector.detect(
          in: image, otherwiseThan: view.board, isCancelled: isCancelled),
        let second = explanation.rms(of: board, on: boardPoints)
      else { return nil }
      let first = explanation.rms(of: view.board, on: boardPoints) ?? .infinity
      return second < Self.gain * first ? Answer(board: board, rms: (first, second)) : nil
    }
    ChessboardSearch.endIdleProcesses()
    for (place, answer) in zip(places, answers) { better[place] = answer }
  }

  /// What came of it, a line for each view, for those who want to know.
  func lines(_ selection: ViewSelection) -> [String] {
    places.sorted().map { place in
      let view = selection.kept[place]
      guard let answer = better[place] else {
        return "\(view.source): searched once more by the other finder, to no avail"
      }
      let first =
        answer.rms.first.isFinite ? "\(fixed(answer.rms.first, 2)) px" : "no pose that explains it"
      return "\(view.source): searched once more: \(view.board.finder) had \(first), "
        + "\(answer.board.finder) has \(fixed(answer.rms.second, 2)) px and is kept"
    }
  }
}

/// How well a solved camera explains what was seen of a board.
private struct Explanation: Sendable {
  var camera: CameraParameters
  var bend: BoardBend?

  init(_ solution: Solution) {
    camera = solution.camera
    bend = solution.bend
  }

  /// The RMS of all corners, also of those in doubt, with the pose that suits them best, pixels; nil where
  /// there is none.
  func rms(of board: DetectedBoard, on points: [SIMD3<Double>]) -> Double? {
    var whole = board
    whole.doubtfulCorners = []
    let view = whole.observed(on: points)
    guard let start = try? PoseEstimation.start(view, camera: camera),
      let fit = try? PoseEstimation.refine(view, camera: camera, bend: bend, from: start)
    else { return nil }
    return (fit.squares / Double(max(1, view.usedCount))).squareRoot()
  }
}
