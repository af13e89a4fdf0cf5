internal import Boards
package import Imaging
internal import OpenCV

extension ChessboardDetector {
  /// The board as the other finder sees it, for a look at an answer that is in doubt.
  ///
  /// What the first search tried in vain before its answer is not tried again; it is bounded as that is.
  ///
  /// - Parameters:
  ///   - first: What `detect` found in the same image.
  ///   - isCancelled: As `detect`.
  /// - Returns: nil where the other finder finds nothing.
  /// - Throws: As `detect`.
  package func detect(
    in image: GrayImage, otherwiseThan first: DetectedBoard, isCancelled: () -> Bool = { false }
  ) throws -> DetectedBoard? {
    let plan = SearchPlan(board: board, width: image.width, height: image.height)
    var budget = options.searchBudget(forPixels: image.width * image.height)
    for (name, search) in plan.searches(otherThan: first.finder) where !isCancelled() {
      let judgement = try budget.spend { budget -> Judgement? in
        guard let answer = try budget.run(search, in: image),
          case .found(let corners, let columns, let rows) = answer.outcome
        else { return nil }
        return try judge(
          CornerGrid(columns: columns, rows: rows, points: corners), in: image, finder: name)
      }
      switch judgement {
      case .sound(let board), .doubtful(let board): return board
      case .wrong, nil: continue
      }
    }
    return nil
  }
}
