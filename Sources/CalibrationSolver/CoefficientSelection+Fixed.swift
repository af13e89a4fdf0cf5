import CameraModel

extension CoefficientSelection {
  /// Coefficients that were decided elsewhere: no step is tried, only the held-out error is taken.
  ///
  /// - Parameters:
  ///   - solution: The solution of `problem`.
  ///   - held: The coefficients that are not estimated, with the reasons.
  ///   - original: The views before points were left out, see `HeldOutError.evaluate`.
  /// - Throws: As `BundleAdjustment.solve`.
  package static func fixed(
    _ problem: SolverProblem, solution: Solution, held: [String: String],
    original: [ObservedView]? = nil, jobs: Int = 1
  ) throws(SolverError) -> CoefficientSelection {
    CoefficientSelection(
      problem: problem.started(from: solution), solution: solution,
      heldOut: try HeldOutError.evaluate(problem, from: solution, original: original, jobs: jobs),
      held: held, steps: [])
  }
}
