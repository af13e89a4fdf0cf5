import BoardDetection
import Boards
package import CalibrationStore
import CameraModel
package import CornerTables

extension CalibrationSession {
  /// Calibrates from points that somebody detected, in place of images.
  ///
  /// - Parameters:
  ///   - table: Points in the order of the board's corners, with the size of the images.
  ///   - identity: Whose camera it is.
  /// - Throws: `CalibrationError` where no calibration comes about; what `onPoints` throws.
  package func run(
    _ table: CornerTable, identity: IntrinsicsRecord.DeviceIdentity
  ) throws -> Result {
    guard let resolution = table.resolution else {
      throw CalibrationError(.unsolvable, "The size of the images is not known.")
    }
    try options.constraints.check(resolution, options.lensModel)
    let isUniform = table.isUniform
    // OpenCV weighs all points alike: so do the figures of its answer.
    let unit = options.solver == .opencv ? nil : table.deviationUnit
    var events: [DetectionEvent] = []
    var found: [DetectedView] = []
    for (index, view) in table.views.enumerated() {
      let outcome: DetectionEvent.Outcome
      if view.isUsed.contains(true) {
        let board = view.board(options.board)
        found.append(
          DetectedView(
            source: view.source, index: index, board: board,
            deviations: unit.map { unit in view.deviations.map { $0 / unit } }))
        outcome = .found(board)
      } else {
        outcome = .notFound(
          view.reason
            ?? (view.isEmpty ? "the table has no points of it" : "the table marks no point for use")
        )
      }
      events.append(DetectionEvent(source: view.source, index: index, outcome: outcome))
      onEvent(events[index])
    }
    let seen = SeenViews(
      events: events,
      selection: ViewSelection(
        found, resolution: resolution, maximumCount: options.maximumViewCount))
    let selection = seen.selection
    try onPoints?(table)
    guard selection.kept.count >= LensFitting.fewestViews else {
      let others =
        selection.setAside.isEmpty
        ? "" : " (\(selection.setAside.count) more were set aside as duplicates)"
      throw CalibrationError(
        .tooFewViews,
        "Points of only \(selection.kept.count) of \(table.views.count) images can be used\(others); a "
          + "calibration needs at least \(LensFitting.fewestViews) views, and 12 or more to be good."
      )
    }
    var result = try result(
      solve(selection, resolution), seen, sourcesSetAside: [], identity)
    if options.solver == .opencv, !isUniform {
      result.notices.append(
        "OpenCV weighs all points alike: the levels or deviations in the table were not used.")
    }
    return result
  }
}

extension CornerTable.View {
  /// The points as if a search had found them.
  fileprivate func board(_ geometry: ChessboardGeometry) -> DetectedBoard {
    DetectedBoard(
      board: geometry, corners: pixels, blurSigma: 0,
      doubtfulCorners: isUsed.indices.filter { pixels[$0].isSeen && !isUsed[$0] },
      finder: "table")
  }
}

extension CornerTable {
  /// What deviations are divided by, so that figures in pixels are those of a usual point, whatever a
  /// table counts them in; nil where all points are alike.
  fileprivate var deviationUnit: Double? {
    guard !isUniform else { return nil }
    let used = views.flatMap { zip($0.deviations, $0.isUsed).filter(\.1).map(\.0) }.sorted()
    return used[used.count / 2]
  }

  /// The points that were detected, as a calibration takes them: of a view that is set aside none is
  /// used, so that the table gives the same calibration.
  init(_ events: [DetectionEvent], _ selection: ViewSelection, resolution: Resolution) {
    let reasons = Dictionary(
      selection.setAside.map { ($0.view.index, $0.reason) }, uniquingKeysWith: { first, _ in first }
    )
    self.init(
      views: events.map { event in
        switch event.outcome {
        case .notFound(let reason), .unreadable(let reason):
          return View(source: event.source, pixels: [], reason: reason)
        case .found(let board):
          let doubtful = Set(board.doubtfulCorners)
          let reason = reasons[event.index]
          return View(
            source: event.source, pixels: board.corners,
            isUsed: board.corners.indices.map { reason == nil && !doubtful.contains($0) },
            reason: reason)
        }
      }, resolution: resolution)
  }
}
