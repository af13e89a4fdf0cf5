import CalibrationSolver

/// A lens model fitted to views of a board.
struct LensFit: Sendable {
  /// The coefficients that earned their place, the minimum and its held-out error, over the views in
  /// `members`.
  var selection: CoefficientSelection
  /// The views that took part, as indices into the views that were given, ascending.
  var members: [Int]
  /// The views that did not fit, by index, with the reason.
  var dropped: [Int: String]
  /// The coefficients that had to go because with them the distortion folds over inside the image.
  var foldOverCoefficients: [String] = []

  /// The minimum.
  var solution: Solution { selection.solution }
  /// The views in `members`, with the marks of the points that took part.
  var views: [ObservedView] { selection.problem.views }
}
