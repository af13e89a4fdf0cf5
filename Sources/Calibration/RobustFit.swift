import CalibrationSolver

/// Least squares on the points and views that fit together.
struct RobustFit {
  /// The problem with the marks of the points that took part, started from `solution`.
  var problem: SolverProblem { didSet { evaluation = nil } }
  /// The minimum.
  var solution: Solution { didSet { evaluation = nil } }
  /// Its held-out error, once it is known.
  var evaluation: CoefficientSelection?
  /// The views before points were left out.
  var original: [ObservedView]
  /// The views that took part, indices into `LensFitting.views`.
  var members: [Int]
  /// The views that did not fit, by the same indices, with the reason.
  var dropped: [Int: String]

  /// Solves without what does not fit.
  ///
  /// Whenever views are dropped the rest is judged again, from all its points: a view that is far off
  /// widens the spread by which the others are judged.
  init(
    _ fitting: LensFitting, _ start: SolverProblem, members: [Int], dropped: [Int: String]
  ) throws(CalibrationError) {
    if fitting.keepsOutliers {
      do {
        solution = try BundleAdjustment.lowest(start, options: .init(jobs: fitting.jobs))
      } catch {
        throw fitting.undetermined(error, members)
      }
      problem = start.started(from: solution)
      original = start.views
      self.members = members
      self.dropped = dropped
      return
    }
    var (start, members, dropped) = (start, members, dropped)
    while true {
      let rejection: OutlierRejection
      do {
        rejection = try OutlierRejection(start, options: .init(jobs: fitting.jobs))
      } catch {
        throw fitting.undetermined(error, members)
      }
      let kept = members.indices.filter { rejection.droppedViews[$0] == nil }
      guard kept.count >= LensFitting.fewestViews else {
        throw CalibrationError(
          .unsolvable,
          "Only \(kept.count) of \(fitting.views.count) views fit together. Check that all come from "
            + "one camera with fixed focus and zoom, and that --board is right."
            + fitting.constraints.doubt)
      }
      for (index, reason) in rejection.droppedViews { dropped[members[index]] = reason }
      if kept.count == members.count {
        self.members = members
        self.dropped = dropped
        problem = rejection.problem
        solution = rejection.solution
        original = start.views
        return
      }
      members = kept.map { members[$0] }
      start = start.started(from: rejection.solution)
      start.views = members.map { fitting.views[$0] }
      start.poses = kept.map { rejection.solution.poses[$0] }
    }
  }

  /// The problem with all its points, started from the minimum: to judge them anew.
  var restart: SolverProblem {
    var problem = problem
    problem.views = original
    return problem.started(from: solution)
  }
}
