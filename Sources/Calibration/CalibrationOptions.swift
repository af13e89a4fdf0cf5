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
  /// Whose answer the result is.
  package var solver = Solver.own

  /// Creates options with the defaults.
  package init(board: ChessboardGeometry, squareSizeIsKnown: Bool, jobs: Int) {
    self.board = board.canonical
    self.squareSizeIsKnown = squareSizeIsKnown
    self.jobs = max(1, jobs)
  }
}

extension CalibrationOptions {
  /// Whose least squares give the camera.
  package enum Solver: String, Sendable, Hashable, CaseIterable {
    /// The package's own.
    case own
    /// OpenCV's calibrateCamera and fisheye::calibrate, the reference: on the views, the points and with
    /// the coefficients that the package's own settles on.
    case opencv
  }

  /// The option for which the board is taken for flat; nil where its bend is estimated.
  var flatOption: String? {
    takesBoardForFlat ? "--no-bend" : solver == .opencv ? "--solver opencv" : nil
  }

  /// Refuses what OpenCV's solver cannot do, where it is asked for.
  package func checkSolver() throws(ConstraintError) {
    guard solver == .opencv else { return }
    func refuse(_ option: String, _ why: String) -> ConstraintError {
      ConstraintError(option: option, description: why)
    }
    guard let lensModel, lensModel != .spline else {
      throw refuse(
        "--solver",
        self.lensModel == nil
          ? "OpenCV compares no lens models: name one of pinhole, rational and fisheye with --lens"
          : "OpenCV has no spline lens: take --lens pinhole, rational or fisheye")
    }
    guard constraints.priors.isEmpty else {
      throw refuse("--prior", "OpenCV weighs no priors: leave it out, or --solver opencv")
    }
    if lensModel == .fisheye, constraints.hasSquarePixels {
      throw refuse(
        "--square-pixels", "OpenCV's fisheye solver has none: leave it out, or --solver opencv")
    }
    for (one, other) in [("fx", "fy"), ("cx", "cy"), ("p1", "p2")] {
      guard lensModel.parameterNames.contains(one) else { continue }
      if (constraints.fixed[one] == nil) != (constraints.fixed[other] == nil) {
        throw refuse(
          "--fix",
          "OpenCV holds \(one) and \(other) together: fix both, or leave --solver opencv out")
      }
      // Of the coefficients only p1 and p2 go together.
      if one == "p1", coefficientCount == 3, constraints.fixed[one] == nil {
        throw refuse(
          "--coefficients",
          "OpenCV estimates p1 and p2 together, the 3rd and the 4th: ask for 2 or 4, or leave "
            + "--solver opencv out")
      }
    }
  }
}
