/// An `OutlierRejection` to which views are added one by one, at a fraction of what judging and solving all
/// of them costs.
///
/// The points of a new view are judged by the spread of those at hand. After each pass over all points, when
/// their residuals are known, all are judged again, and what changes its side takes part or is left out from
/// there on. What cannot be decided like that is left to a rejection of all views as a whole, see `Objection`.
package struct GrowingRejection: Sendable {
  /// The kept views' least squares.
  package private(set) var growing: GrowingSolution
  /// The views as given.
  private var original: [ObservedView]
  /// The views that are left out.
  private let dropped: Set<Int>
  /// σ per axis from the median of residual norms, pixels, when all were last looked at.
  private var sigma = 0.0
  private var spreads: [(view: Int, sigma: Double)] = []
  /// How many views the last rejection of all had.
  private let wholeCount: Int
  /// Whether views and points that do not fit take part all the same.
  private let leavesOutNothing: Bool

  /// Why all views have to be judged and solved as a whole.
  package enum Objection: Sendable, Hashable {
    /// A view does not fit the others: it may be that one of them is wrong.
    case misfit
    /// There are twice as many views as when all were last judged without regard to what was left out
    /// before; in the long run that costs no more than a few passes a view.
    case doubled
  }

  /// Begins with the outcome for `views`, as they were before anything was left out.
  ///
  /// - Parameter leavesOutNothing: Whether views that are added take part with all their points, whether they
  ///   fit or not.
  /// - Throws: As `BundleAdjustment.solve`.
  package init(
    _ rejection: OutlierRejection, of views: [ObservedView], leavesOutNothing: Bool = false
  ) throws(SolverError) {
    original = views
    self.leavesOutNothing = leavesOutNothing
    wholeCount = views.count
    dropped = Set(rejection.droppedViews.keys)
    growing = try GrowingSolution(rejection.solution, of: rejection.problem)
    measure()
  }

  /// Adds a view; if all have to be judged as a whole instead, says why, and `self` is as it was.
  ///
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func add(_ view: ObservedView) throws(SolverError) -> Objection? {
    guard original.count + 1 < 2 * wholeCount else { return .doubled }
    if leavesOutNothing {
      try growing.add(view)
      original.append(view)
      return nil
    }
    guard ViewScreening.misfits([view]).isEmpty, let (kept, fit) = try judged(view),
      let spread = RobustSpread.sigma(ofNorms: view.norms(fit.residuals))
    else { return .misfit }
    var grown = self
    grown.spreads.append((original.count, spread))
    guard ViewSpreads(grown.spreads).misfits.isEmpty else { return .misfit }
    grown.original.append(view)
    let passes = growing.passes
    try grown.growing.add(kept, at: fit.pose)
    if grown.growing.passes > passes, let objection = try grown.judgeAll() { return objection }
    self = grown
    return nil
  }

  /// Holds the board's bend by another prior, or by none.
  ///
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func hold(bend prior: ParameterPrior?) throws(SolverError) {
    try growing.hold(bend: prior)
  }

  /// A new view without its wrong points, and its pose; nil where too few points are left.
  private func judged(
    _ view: ObservedView
  ) throws(SolverError) -> (view: ObservedView, fit: PoseEstimation.Fit)? {
    let (camera, bend) = (growing.problem.camera, growing.problem.shape?.bend)
    var kept = view
    var fit = try PoseEstimation.refine(
      view, camera: camera, bend: bend, from: PoseEstimation.start(view, camera: camera))
    let mean = fit.squares / Double(max(1, view.usedCount))
    if PoseFlips.isSuspicious(mean, beside: 2 * sigma * sigma),
      let other = PoseFlips.better(
        than: fit.pose, squares: fit.squares, of: view, camera: camera, bend: bend)
    {
      fit = other
    }
    // As all views begin: a point at the threshold would else draw the pose so near that it stays.
    fit = try CauchyWeights.refine(view, camera: camera, bend: bend, from: fit, sigma: sigma)
    for round in 0..<Self.mostRounds {
      let marks = judge.keep(view, residuals: fit.residuals)
      guard PointJudge.isEnough(marks, of: view) else { return nil }
      if round > 0, marks == kept.isUsed { break }
      kept.isUsed = marks
      fit = try PoseEstimation.refine(kept, camera: camera, bend: bend, from: fit.pose)
    }
    return (kept, fit)
  }

  /// Judges all points by their residuals of the last pass, and follows what changes.
  private mutating func judgeAll() throws(SolverError) -> Objection? {
    for _ in 0..<Self.mostRounds {
      measure()
      guard ViewSpreads(spreads).misfits.isEmpty else { return .misfit }
      var changed: [Int: ObservedView] = [:]
      for view in original.indices where !dropped.contains(view) {
        guard original[view].usedCount > 0 else { continue }
        let marks = judge.keep(original[view], residuals: growing.residuals[view])
        guard PointJudge.isEnough(marks, of: original[view]) else { return .misfit }
        guard marks != growing.problem.views[view].isUsed else { continue }
        changed[view] = original[view]
        changed[view]?.isUsed = marks
      }
      if changed.isEmpty { return nil }
      let passes = growing.passes
      try growing.replace(changed)
      // Where nothing has moved far the residuals are what they were.
      if growing.passes == passes { return nil }
    }
    return nil
  }

  /// As many as a rejection as a whole takes.
  private static let mostRounds = 10

  private var judge: PointJudge {
    PointJudge(sigma: sigma, threshold: OutlierRejection.threshold)
  }

  /// Takes the spreads from the residuals.
  private mutating func measure() {
    var all: [Double] = []
    spreads = []
    for view in original.indices where !dropped.contains(view) {
      let norms = original[view].norms(growing.residuals[view])
      all += norms
      if let own = RobustSpread.sigma(ofNorms: norms) { spreads.append((view, own)) }
    }
    sigma = RobustSpread.sigma(ofNorms: all) ?? 0
  }
}
