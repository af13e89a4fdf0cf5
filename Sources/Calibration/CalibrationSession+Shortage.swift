import BoardDetection
import Boards
import Frames
import Imaging
import OpenCV

/// What is said where too few images show the board.
extension CalibrationSession {
  /// A board of another size that the missed images show, in words; nil where they show none, or do
  /// not agree.
  func suggestion(_ missed: [Frame], _ detector: ChessboardDetector) -> String? {
    var seen: [(sighting: BoardSighting, name: String)] = []
    for frame in missed where !isCancelled() {
      guard let image = try? frame.grayImage(),
        let sighting = try? detector.sightOtherBoard(
          in: image, seen: seen.first.map { [$0.sighting.board] } ?? [], isCancelled: isCancelled)
      else { continue }
      seen.append((sighting, frame.name))
    }
    ChessboardSearch.endIdleProcesses()
    // Of one size in most, and in one of them its ends are seen.
    let sure = seen.first { one in
      one.sighting.endsAreSeen
        && 2 * seen.count { $0.sighting.board == one.sighting.board } > seen.count
    }
    guard let (sighting, name) = sure else { return nil }
    let board = sighting.board
    return "\(name) shows \(board): try --board \(board.columns)x\(board.rows)."
  }

  /// Why there are too few views, and what to do.
  func shortage(
    _ events: [DetectionEvent], _ selection: ViewSelection, suggestion: String?
  ) -> String {
    let frames = events.count
    let kept = selection.kept.count
    let board = "\(options.board.columns)x\(options.board.rows)"
    let unreadable = events.count {
      if case .unreadable = $0.outcome { true } else { false }
    }
    if frames > 0, unreadable == frames {
      // Each was told of as it came.
      return frames == 1
        ? "The only image could not be read, so no board was looked for."
        : "None of the \(frames) images could be read, so no board was looked for."
    }
    if kept == 0 && selection.setAside.isEmpty {
      let advice =
        suggestion
        ?? "--board counts inner corners, columns x rows: a board of 10x7 squares is 9x6. The whole "
        + "board must be in the image, with its white margin."
      let others = unreadable == 0 ? "" : " (\(unreadable) more could not be read)"
      let count = frames - unreadable
      return "No \(board) board was found in \(count) image\(count == 1 ? "" : "s")\(others). "
        + advice
    }
    let others =
      selection.setAside.isEmpty
      ? "" : " (\(selection.setAside.count) more were set aside as duplicates or blurred)"
    return "Only \(kept) of \(frames) images can be used\(others); a calibration needs at least "
      + "\(LensFitting.fewestViews) views, and 12 or more to be good."
      + (suggestion.map { " " + $0 } ?? "")
  }
}
