/// The steps of `OutlierRejection`.
struct RobustSearch {
  /// The views as given.
  private let original: [ObservedView]
  private(set) var problem: SolverProblem
  private let options: BundleAdjustment.Options
  private(set) var solution: Solution
  private(set) var dropped: [Int: String] = [:]
  /// σ per axis from the median of residual norms, pixels.
  private(set) var sigma = 0.0

  init(problem: SolverProblem, options: BundleAdjustment.Options) throws(SolverError) {
    original = problem.views
    self.options = options
    var screened = problem
    for (view, reason) in ViewScreening.misfits(original) {
      dropped[view] = reason
      screened.views[view].isUsed = original[view].isUsed.map { _ in false }
    }
    self.problem = screened
    solution = try BundleAdjustment.solve(screened, options: options)
    if let mended = PoseFlips.mended(screened, solution) {
      self.problem = mended
      solution = try BundleAdjustment.solve(mended, options: options)
    }
  }

  mutating func run() throws(SolverError) {
    // Each round drops at least one view, or is the last.
    for _ in 0...original.count {
      try fitRobustly()
      let worst = viewSpreads.misfits
      if worst.isEmpty { break }
      for (view, reason) in worst { drop(view, reason) }
    }
    try readmitViews()
    try rejectPoints()
    if let lower = BundleAdjustment.lowered(problem, below: solution, options: options) {
      solution = lower
      problem = problem.started(from: lower)
      try rejectPoints()
    }
  }

  private mutating func drop(_ view: Int, _ reason: String) {
    dropped[view] = reason
    problem.views[view].isUsed = original[view].isUsed.map { _ in false }
  }

  /// A few rounds of least squares with Cauchy weights.
  private mutating func fitRobustly() throws(SolverError) {
    var quick = options
    quick.tolerance = 1e-3
    var weights: [[Double]]?
    for _ in 0..<CauchyWeights.rounds {
      let packed = PackedViews(problem.views, weights: weights)
      solution = try BundleAdjustment.solve(problem, packed: packed, options: quick)
      problem = problem.started(from: solution)
      let before = sigma
      sigma = globalSigma()
      guard sigma > 0 else { return }
      weights = solution.residuals.enumerated().map { view, residuals in
        CauchyWeights.weights(original[view].weighted(residuals), sigma: sigma)
      }
      if abs(sigma / before - 1) < 0.01 { break }
      quick.initialDamping = 1e-6
    }
  }

  private func norms(_ view: Int) -> [Double] { original[view].norms(solution.residuals[view]) }

  private func globalSigma() -> Double {
    let all = original.indices.filter { dropped[$0] == nil && original[$0].usedCount > 0 }
    return RobustSpread.sigma(ofNorms: all.flatMap { norms($0) }) ?? 0
  }

  /// The spread of each view that is in.
  private var viewSpreads: ViewSpreads {
    ViewSpreads(
      original.indices.compactMap { view in
        guard dropped[view] == nil else { return nil }
        return RobustSpread.sigma(ofNorms: norms(view)).map { (view, $0) }
      })
  }

  /// Takes views back whose spread, with the final camera, is that of the others.
  private mutating func readmitViews() throws(SolverError) {
    let sigmas = viewSpreads.all.map(\.sigma)
    guard let centre = median(sigmas), let most = sigmas.max() else { return }
    var changed = false
    for view in dropped.keys.sorted() {
      guard let start = try? PoseEstimation.start(original[view], camera: solution.camera),
        let fit = try? PoseEstimation.refine(
          original[view], camera: solution.camera, bend: solution.bend, from: start)
      else { continue }
      guard let sigma = RobustSpread.sigma(ofNorms: original[view].norms(fit.residuals)),
        sigma <= max(most, 2 * centre)
      else { continue }
      dropped[view] = nil
      problem.views[view] = original[view]
      problem.poses[view] = fit.pose
      changed = true
    }
    if changed { try fitRobustly() }
  }

  /// Plain least squares on the points within the threshold, until the same points stay.
  private mutating func rejectPoints() throws(SolverError) {
    problem.varianceCorrection = RobustSpread.varianceCorrection(
      cutAt: OutlierRejection.threshold)
    for _ in 0..<10 {
      let before = problem.views
      sigma = globalSigma()
      let judge = PointJudge(sigma: sigma, threshold: OutlierRejection.threshold)
      for view in original.indices where dropped[view] == nil && original[view].usedCount > 0 {
        let kept = judge.keep(original[view], residuals: solution.residuals[view])
        if PointJudge.isEnough(kept, of: original[view]) {
          problem.views[view].isUsed = kept
        } else {
          let count = kept.count { $0 }
          drop(
            view,
            "does not fit: only \(count) of its \(original[view].usedCount) corners agree with the "
              + "other views; wrong detection")
        }
      }
      solution = try BundleAdjustment.solve(problem, options: options)
      problem = problem.started(from: solution)
      if problem.views == before { break }
    }
  }
}
