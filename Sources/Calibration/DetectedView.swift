package import BoardDetection
import CalibrationSolver
import CornerTables

/// A view in which the whole board was found.
package struct DetectedView: Sendable {
  /// The file or frame that it came from.
  package var source: String
  /// Its place in the frame source, from 0.
  package var index: Int
  /// The corners; NaN for those that were not seen, which tables of points may hold.
  package var board: DetectedBoard
  /// The deviation of each corner in a unit that all views share; nil where all are alike.
  package var deviations: [Double]?

  /// The view for the solver.
  func observed(on points: [SIMD3<Double>]) -> ObservedView {
    board.observed(on: points, deviations: deviations)
  }
}

extension DetectedBoard {
  /// The corners that were seen, as indices.
  var seen: [Int] { corners.indices.filter { corners[$0].isSeen } }

  /// The view for the solver: corners without a sound fit of their own have no say.
  ///
  /// - Parameters:
  ///   - points: Where each corner lies on the board.
  ///   - deviations: That of each corner; nil where all are alike.
  func observed(on points: [SIMD3<Double>], deviations: [Double]? = nil) -> ObservedView {
    let seen = seen
    let doubtful = Set(doubtfulCorners)
    var view = ObservedView(
      boardPoints: seen.map { points[$0] }, pixels: seen.map { corners[$0] },
      isUsed: seen.map { !doubtful.contains($0) })
    view.weights = deviations.map { deviations in
      seen.map { 1 / (deviations[$0] * deviations[$0]) }
    }
    return view
  }
}
