/// Least squares over a camera's parameters and the poses of all boards.
package enum BundleAdjustment {
  /// How a solution is sought.
  package struct Options: Sendable, Hashable {
    /// The number of threads; the result does not depend on it, to the last bit.
    package var jobs: Int
    /// The bound on passes over the points.
    package var maximumIterations: Int
    /// The search ends when a full step promises to lower Σr² by less than this many s², s² the
    /// variance of a residual: no parameter would move by more than the root of it times its own
    /// deviation.
    package var tolerance: Double
    /// The first damping relative to the diagonal; small where the start is good.
    package var initialDamping: Double

    /// Creates options.
    package init(
      jobs: Int = 1, maximumIterations: Int = 200, tolerance: Double = 1e-8,
      initialDamping: Double = 1e-6
    ) {
      self.jobs = jobs
      self.maximumIterations = maximumIterations
      self.tolerance = tolerance
      self.initialDamping = initialDamping
    }
  }

  /// Finds the parameters and poses with the least sum of squared residuals.
  ///
  /// Levenberg–Marquardt with the poses eliminated view by view, analytic derivatives, rotations on
  /// the manifold, double precision. The cost is linear in the number of points.
  ///
  /// - Returns: The solution, also when the bound on iterations ends the search (`converged` says
  ///   so); every number in it is finite.
  /// - Throws: `mismatchedInput`, `nonFinite`, `tooFewPoints` (fewer measurements than unknowns),
  ///   `pointNotVisible` (the start does not see a point), `singular` (a view's points do not
  ///   determine its pose, for example because they lie on a line).
  package static func solve(
    _ problem: SolverProblem, options: Options = Options()
  ) throws(SolverError) -> Solution {
    try problem.validate()
    return try solve(
      problem, packed: PackedViews(problem.views, jobs: options.jobs), options: options)
  }

  /// Finds the least squares with `jobs` threads and otherwise the usual options.
  package static func solve(
    _ problem: SolverProblem, jobs: Int
  ) throws(SolverError) -> Solution {
    try solve(problem, options: Options(jobs: jobs))
  }

  /// The same for a validated problem whose points, perhaps with weights, are packed already.
  static func solve(
    _ problem: SolverProblem, packed: PackedViews, options: Options
  ) throws(SolverError) -> Solution {
    let unknowns = DegreesOfFreedom(problem, packed: packed)
    guard unknowns.value > 0 else {
      throw SolverError(
        .tooFewPoints, subject: "views",
        message: "\(packed.usedPointCount) points in \(packed.activeViewCount) views do not "
          + "determine \(problem.freeParameters.slots.count) parameters and as many poses; "
          + "take more views")
    }
    var search = LevenbergMarquardt(problem, packed: packed, options: options)
    return try search.run(degreesOfFreedom: unknowns.value)
  }
}

/// 2·points − free shared parameters − 6·views; a parameter with a prior brings its own measurement.
struct DegreesOfFreedom {
  var value: Int

  init(_ problem: SolverProblem, packed: PackedViews) {
    self.init(problem, points: packed.usedPointCount, views: packed.activeViewCount)
  }

  /// - Parameters:
  ///   - points: The number of used points.
  ///   - views: The number of views that have any.
  init(_ problem: SolverProblem, points: Int, views: Int) {
    let free = problem.priors(of: problem.freeParameters).count { $0 == nil }
    value = 2 * points - free - 6 * views
  }
}
