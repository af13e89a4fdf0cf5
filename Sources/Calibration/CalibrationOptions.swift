package import Boards
package import CameraModel

/// What a calibration is asked to do.
package struct CalibrationOptions: Sendable {
  /// Which lens model is fitted; nil: the one that held-out errors choose.
  package var lensModel: LensModel? = .pinhole
  /// How many distortion coefficients are estimated, in the lens model's order; nil: only those
  /// that earn their place by held-out error.
  package var coefficientCount: Int?
  /// The board, its square size in metres; as many columns as rows or more: 6x9 is 9x6, with the
  /// same answer to the last bit.
  package var board: ChessboardGeometry
  /// Whether the square size was measured; else lengths are in squares.
  package var squareSizeIsKnown: Bool
  /// The number of views to keep at the most, those that differ most from one another.
  package var maximumViewCount: Int?
  /// What is not estimated, or not from the views alone.
  package var constraints = ParameterConstraints()
  /// Whether the board is taken for flat; else its bend is estimated with the camera.
  package var takesBoardForFlat = false
  /// Whether points and views that do not fit the others take part all the same.
  package var keepsOutliers = false
  /// The number of threads.
  package var jobs: Int
  /// What finds the camera that the fit begins with.
  package var startSolver = StartSolver.own

  /// Creates options with the defaults.
  package init(board: ChessboardGeometry, squareSizeIsKnown: Bool, jobs: Int) {
    self.board = board.canonical
    self.squareSizeIsKnown = squareSizeIsKnown
    self.jobs = max(1, jobs)
  }
}
