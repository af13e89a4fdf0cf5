import BoardDetection
import CalibrationSolver
import CalibrationStore
import CameraModel
import Frames

/// Puts together what is stored: the record, and the points behind it.
struct RecordBuilder {
  /// Everything that was decided on the way, frame by frame.
  var events: [DetectionEvent]
  /// The files that never became frames.
  var sourcesSetAside: [SetAside]
  /// The views that were selected, and those that were not.
  var selection: ViewSelection
  /// The fit.
  var fit: LensFit
  /// The board's points, metres (squares where the size is not known).
  var boardPoints: [SIMD3<Double>]

  /// One entry for each frame in their order, then the files that never became frames.
  var views: [IntrinsicsRecord.CalibrationView] {
    let kept = placesOfKeptViews
    let setAside = Dictionary(
      selection.setAside.map { ($0.view.index, $0.reason) }, uniquingKeysWith: { first, _ in first }
    )
    let frames = events.map { event -> IntrinsicsRecord.CalibrationView in
      switch event.outcome {
      case .notFound(let reason), .unreadable(let reason):
        return .init(source: event.source, used: false, reason: reason)
      case .found:
        guard let place = kept[event.index] else {
          return .init(
            source: event.source, used: false, reason: setAside[event.index] ?? "not selected")
        }
        return view(event.source, place: place)
      }
    }
    return frames
      + sourcesSetAside.filter(\.isPicture).map {
        .init(source: $0.source, used: false, reason: $0.reason)
      }
  }

  private var placesOfKeptViews: [Int: Int] {
    Dictionary(
      selection.kept.enumerated().map { ($0.element.index, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  private func view(_ source: String, place: Int) -> IntrinsicsRecord.CalibrationView {
    guard let member = fit.members.firstIndex(of: place) else {
      return .init(source: source, used: false, reason: fit.dropped[place] ?? "does not fit")
    }
    let pose = fit.solution.poses[member]
    let used = fit.views[member].isUsed
    let squares = zip(fit.solution.residuals[member], used).filter(\.1).map { ($0.0 * $0.0).sum() }
    let rms = (squares.reduce(0, +) / Double(max(1, squares.count))).squareRoot()
    return .init(
      source: source, used: true, rms: rms.isFinite ? rms : nil,
      pose: .init(rotation: pose.rotation, translation: pose.translation))
  }

  /// The points of all views that were selected, so that they give the same calibration once more.
  var points: CalibrationPoints {
    CalibrationPoints(
      views: selection.kept.enumerated().map { place, view in
        let seen = view.board.seen
        let doubtful = Set(view.board.doubtfulCorners)
        var points = CalibrationPoints.View(
          source: view.source, board: seen.map { boardPoints[$0] },
          pixels: seen.map { view.board.corners[$0] }, used: seen.map { _ in false },
          offered: seen.map { !doubtful.contains($0) },
          deviations: view.deviations.map { deviations in seen.map { deviations[$0] } })
        if let member = fit.members.firstIndex(of: place) {
          // Stored is seen minus projected, the solver has the opposite.
          points.residuals = fit.solution.residuals[member].map { -$0 }
          points.used = fit.views[member].isUsed
        }
        if points.offered == points.used { points.offered = nil }
        return points
      })
  }

  /// Where in the image corners were seen, and under which tilts.
  var coverage: IntrinsicsRecord.Coverage {
    CoverageMap.coverage(
      pixels: fit.members.enumerated().map { member, place in
        zip(fit.views[member].pixels, fit.views[member].isUsed).filter(\.1).map(\.0)
      },
      poses: fit.solution.poses, resolution: fit.solution.camera.resolution)
  }
}
