import BoardDetection
import Boards
import CameraModel
import Frames

extension CalibrationSession {
  /// Solves, has the views that the solution explains badly searched once more by the other finder, and
  /// solves again where that finds them better.
  ///
  /// The second solution begins anew, so that it is what the points that stay would give by themselves.
  ///
  /// - Parameter frames: Those that can be had once more, by index.
  /// - Returns: The views as they are then, their solution, and what happened, for those who ask.
  func solved(
    _ seen: SeenViews, _ resolution: Resolution, lookingAgainAt frames: [Int: Frame]
  ) throws(CalibrationError) -> (seen: SeenViews, outcome: Outcome, details: [String]) {
    let first = try solve(seen.selection, resolution)
    let fit = first.settled.fit
    let boardPoints = options.board.cornerPoints
    let detector = ChessboardDetector(board: options.board)
    let look = stages.measure(.detect) {
      var look = SecondLook(fit, seen.selection, frames, boardPoints: boardPoints)
      look.search(
        frames, seen.selection, detector, fit, boardPoints: boardPoints, jobs: options.jobs,
        isCancelled: isCancelled)
      return look
    }
    try CalibrationError.check(isCancelled)
    let details = look.lines(seen.selection)
    guard !look.better.isEmpty else { return (seen, first, details) }
    let again = seen.replacing(
      Dictionary(
        look.better.map { (seen.selection.kept[$0.key].index, $0.value.board) },
        uniquingKeysWith: { first, _ in first }), resolution, options)
    do throws(CalibrationError) {
      let second = try solve(again.selection, resolution)
      if second.settled.fit.members.count >= fit.members.count {
        tellPictures(look, seen, frames)
        return (again, second, details)
      }
    } catch {
      if error.code == .interrupted { throw error }
    }
    return (
      seen, first, details + ["With those answers fewer views fit together: the first ones stay."]
    )
  }

  /// Has what is kept drawn in place of what was found first.
  private func tellPictures(_ look: SecondLook, _ seen: SeenViews, _ frames: [Int: Frame]) {
    guard let onPicture else { return }
    for (place, answer) in look.better {
      guard let frame = frames[seen.selection.kept[place].index],
        let image = try? frame.grayImage()
      else { continue }
      onPicture(frame, image, answer.board)
    }
  }
}

extension SeenViews {
  /// The same with other boards in some frames, by index.
  fileprivate func replacing(
    _ boards: [Int: DetectedBoard], _ resolution: Resolution, _ options: CalibrationOptions
  ) -> SeenViews {
    SeenViews(
      events.map { event in
        var event = event
        if let board = boards[event.index] { event.outcome = .found(board) }
        return event
      }, resolution: resolution, options)
  }
}
