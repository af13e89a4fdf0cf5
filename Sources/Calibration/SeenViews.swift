import BoardDetection
import CameraModel
import CornerTables

/// What was found in the frames of a source, and which of it takes part.
struct SeenViews: Sendable {
  /// What became of each frame.
  var events: [DetectionEvent]
  /// The views that take part, and those that do not.
  var selection: ViewSelection

  init(events: [DetectionEvent], selection: ViewSelection) {
    (self.events, self.selection) = (events, selection)
  }

  /// Selects among the boards that were found.
  init(_ events: [DetectionEvent], resolution: Resolution, _ options: CalibrationOptions) {
    let found = events.compactMap { event -> DetectedView? in
      guard case .found(let board) = event.outcome else { return nil }
      return DetectedView(source: event.source, index: event.index, board: board)
    }
    self.init(
      events: events,
      selection: ViewSelection(
        found, resolution: resolution, maximumCount: options.maximumViewCount))
  }

  /// The points of all, before they are solved for.
  func table(_ resolution: Resolution) -> CornerTable {
    CornerTable(events, selection, resolution: resolution)
  }
}
