/// Least squares on the points and views that fit together, and what was left out and why.
package struct OutlierRejection: Sendable {
  /// The threshold on the norm of a 2-D residual, in robust σ per axis: one right corner in 450 lies
  /// beyond.
  package static let threshold = 3.5

  /// The problem as it was finally solved: with its marks of used points, started from the solution.
  package var problem: SolverProblem
  /// Plain least squares on what was kept; s² is corrected for the cut.
  package var solution: Solution
  /// The views that were dropped, by index, each with the reason.
  package var droppedViews: [Int: String]
  /// The number of points left out of views that were kept.
  package var rejectedPointCount: Int
  /// σ per axis from the median of residual norms, pixels.
  package var robustSigma: Double

  /// Solves a problem whose points may be wrong.
  ///
  /// Views whose corners can't be the image of a flat board are dropped first. A robust fit (Cauchy
  /// weights, so that a far point has little pull) then gives a spread that wrong points do not
  /// widen; views far above the others go, then single points beyond `threshold`. All points are
  /// judged again with each new fit, so what was wrongly left out comes back. A residual that a
  /// point shares with its neighbours is the lens model's error, not the point's, and stays.
  ///
  /// - Parameter problem: Points that its marks leave out stay out.
  /// - Throws: As `BundleAdjustment.solve`.
  package init(
    _ problem: SolverProblem, options: BundleAdjustment.Options = .init()
  ) throws(SolverError) {
    try problem.validate()
    var search = try RobustSearch(problem: problem, options: options)
    try search.run()
    self.problem = search.problem
    solution = search.solution
    droppedViews = search.dropped
    robustSigma = search.sigma
    rejectedPointCount = problem.views.indices.reduce(0) { count, view in
      search.dropped[view] == nil
        ? count + problem.views[view].usedCount - search.problem.views[view].usedCount : count
    }
  }

  /// Solves a problem all of whose points are to take part, as if each fitted.
  ///
  /// - Throws: As `BundleAdjustment.solve`.
  package init(
    leavingOutNothing problem: SolverProblem, options: BundleAdjustment.Options = .init()
  ) throws(SolverError) {
    solution = try BundleAdjustment.solve(problem, options: options)
    self.problem = problem.started(from: solution)
    droppedViews = [:]
    rejectedPointCount = 0
    robustSigma = solution.sigma
  }
}
