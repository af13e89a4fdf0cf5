package import CameraModel

/// A solution whose views change one by one, each at a fraction of what a solution costs.
///
/// A view adds its block to the normal equations of the shared parameters, or takes it away again; the
/// poses, the costs and the gradients of the other views follow the step as far as the linear picture goes.
/// All points are looked at again only where the parameters have moved so far that it is no longer true.
package struct GrowingSolution: Sendable {
  /// The views, with the camera and the poses as they are now.
  package internal(set) var problem: SolverProblem
  /// What the views say, as it is now, priors included; its median depth is that of the last pass.
  var equations: ViewEquations
  /// The number of passes over all points so far, the one at the beginning included.
  package internal(set) var passes = 0
  /// The steps since the last pass over all points, in deviations of each parameter: the sum of the largest.
  var drift = 0.0

  /// Begins with a solution of `problem`, at the cost of one pass.
  ///
  /// - Throws: As `BundleAdjustment.solve`.
  package init(_ solution: Solution, of problem: SolverProblem) throws(SolverError) {
    self.problem = problem.started(from: solution)
    equations = try ViewEquations(self.problem)
    passes = 1
    if try step() >= Self.settled { try settle() }
  }

  /// Projected − seen for each point of each view, used or not, pixels: when the view was last looked at,
  /// which is less than `mostDrift` ago.
  package var residuals: [[SIMD2<Double>]] { equations.residuals }
}

extension GrowingSolution {
  /// Adds a view and moves all to the new minimum.
  ///
  /// - Parameter pose: The best pose for the camera as it is, where it is known.
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func add(_ view: ObservedView, at pose: Pose? = nil) throws(SolverError) {
    var grown = self
    grown.problem.views.append(view)
    let place = if let pose { pose } else { try Self.pose(of: view, problem, near: nil) }
    grown.problem.poses.append(place)
    try grown.take(grown.problem.views.count - 1)
    try grown.follow()
    self = grown
  }

  /// Puts other views, or the same with other marks, in the place of views, and moves all to the new
  /// minimum; a view without used points is left out.
  ///
  /// - Parameter views: By index.
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func replace(_ views: [Int: ObservedView]) throws(SolverError) {
    var grown = self
    for (index, view) in views.sorted(by: { $0.key < $1.key }) {
      let pose = grown.problem.views[index].usedCount > 0 ? grown.problem.poses[index] : nil
      try grown.leave(index)
      grown.problem.views[index] = view
      guard view.usedCount > 0 else { continue }
      grown.problem.poses[index] = try Self.pose(of: view, grown.problem, near: pose)
      try grown.take(index)
    }
    try grown.follow()
    self = grown
  }

  /// Takes a view away and moves all to the new minimum.
  ///
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func remove(at index: Int) throws(SolverError) {
    var grown = self
    try grown.leave(index)
    grown.problem.views.remove(at: index)
    grown.problem.poses.remove(at: index)
    grown.equations.closeGap(at: index)
    try grown.follow()
    self = grown
  }

  /// Holds the board's bend by another prior, or by none, and moves all to the new minimum.
  ///
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func hold(bend prior: ParameterPrior?) throws(SolverError) {
    var grown = self
    grown.problem.shape?.prior = prior
    try grown.follow()
    self = grown
  }

  /// Where a board is, seen by the camera as it is.
  private static func pose(
    of view: ObservedView, _ problem: SolverProblem, near pose: Pose?
  ) throws(SolverError) -> Pose {
    let start = if let pose { pose } else { try PoseEstimation.start(view, camera: problem.camera) }
    return try PoseEstimation.refine(
      view, camera: problem.camera, bend: problem.shape?.bend, from: start
    ).pose
  }

  /// Looks at a view and adds what it says to the equations.
  private mutating func take(_ index: Int) throws(SolverError) {
    equations.add(try look(index), as: index)
  }

  /// Takes what a view says out of the equations.
  private mutating func leave(_ index: Int) throws(SolverError) {
    guard problem.views[index].usedCount > 0 else { return }
    equations.remove(try look(index), of: index)
  }

  /// One view, seen by the camera as it is.
  private func look(_ index: Int) throws(SolverError) -> ViewEquations {
    var alone = problem
    alone.views = [problem.views[index]]
    alone.poses = [problem.poses[index]]
    return try ViewEquations(alone)
  }
}

extension GrowingSolution {
  /// What a solution of all views at once would have given, to some thousandths of each deviation.
  ///
  /// Its residuals are those of `residuals`.
  package var solution: Solution {
    var (squares, points) = (0.0, 0)
    for (own, view) in zip(residuals, problem.views) {
      for (r, isUsed) in zip(own, view.isUsed) where isUsed {
        squares += (r * r).sum()
        points += 1
      }
    }
    return Solution(
      camera: problem.camera, poses: problem.poses, residuals: residuals,
      rms: (squares / Double(max(1, points))).squareRoot(), sigma: sigma, free: problem.free,
      freeParameters: problem.freeParameters, bend: problem.shape?.bend,
      degreesOfFreedom: degreesOfFreedom, iterations: passes, converged: true,
      linearization: equations.linearization)
  }
}
