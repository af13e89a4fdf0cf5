import Glibc

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
      let worst = misfits()
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

  /// A few rounds of least squares with Cauchy weights 1/(1 + (r/2.4σ)²).
  private mutating func fitRobustly() throws(SolverError) {
    var quick = options
    quick.tolerance = 1e-3
    var weights: [[Double]]?
    for _ in 0..<6 {
      let packed = PackedViews(problem.views, weights: weights)
      solution = try BundleAdjustment.solve(problem, packed: packed, options: quick)
      problem = problem.started(from: solution)
      let before = sigma
      sigma = globalSigma()
      guard sigma > 0 else { return }
      // 2.385 σ: 95 % efficiency on normal residuals.
      let scale = 1 / (2.385 * sigma)
      weights = solution.residuals.enumerated().map { view, residuals in
        residuals.enumerated().map { point, r in
          let squares = original[view].weight(point) * (r * r).sum() * scale * scale
          return squares.isFinite ? 1 / (1 + squares) : 1e-12
        }
      }
      if abs(sigma / before - 1) < 0.01 { break }
      quick.initialDamping = 1e-6
    }
  }

  private func norms(_ view: Int) -> [Double] {
    zip(original[view].weighted(solution.residuals[view]), original[view].isUsed).compactMap {
      r, isUsed in isUsed ? (r * r).sum().squareRoot() : nil
    }
  }

  private func globalSigma() -> Double {
    let all = original.indices.filter { dropped[$0] == nil && original[$0].usedCount > 0 }
    return RobustSpread.sigma(ofNorms: all.flatMap { norms($0) }) ?? 0
  }

  /// The spread of each view that is in, by index.
  private func viewSigmas() -> [(view: Int, sigma: Double)] {
    original.indices.compactMap { view in
      guard dropped[view] == nil else { return nil }
      return RobustSpread.sigma(ofNorms: norms(view)).map { (view, $0) }
    }
  }

  /// Views whose spread is far above the others', the worst first.
  ///
  /// "Far": above three times the median and beyond five robust deviations of the logarithm. A lens
  /// model's error makes views near the corners worse by less than that, and gradually, which widens
  /// the robust deviation itself.
  private func misfits() -> [(Int, String)] {
    let sigmas = viewSigmas()
    guard sigmas.count >= 4, let centre = median(sigmas.map(\.sigma)), centre > 0 else { return [] }
    let spread = median(sigmas.map { abs(log($0.sigma / centre)) }) ?? 0
    let limit = centre * max(3, exp(5 * 1.4826 * spread))
    guard let worst = sigmas.map(\.sigma).max(), worst > limit else { return [] }
    // The worst may have spoilt the fit for others: those far below it are judged again later.
    return sigmas.filter { $0.sigma > limit && $0.sigma > worst / 2 }.map { view, sigma in
      (view, Self.reason(sigma: sigma, others: centre))
    }
  }

  private static func reason(sigma: Double, others: Double) -> String {
    "does not fit: its corners miss by \(pixels(sigma)) px where other views miss by "
      + "\(pixels(others)) px; wrong detection, moved focus or motion"
  }

  /// Takes views back whose spread, with the final camera, is that of the others.
  private mutating func readmitViews() throws(SolverError) {
    let sigmas = viewSigmas().map(\.sigma)
    guard let centre = median(sigmas), let most = sigmas.max() else { return }
    var changed = false
    for view in dropped.keys.sorted() {
      guard let start = try? PoseEstimation.start(original[view], camera: solution.camera),
        let fit = try? PoseEstimation.refine(
          original[view], camera: solution.camera, bend: solution.bend, from: start)
      else { continue }
      let norms = zip(fit.residuals, original[view].isUsed).compactMap { r, isUsed in
        isUsed ? (r * r).sum().squareRoot() : nil
      }
      guard let sigma = RobustSpread.sigma(ofNorms: norms), sigma <= max(most, 2 * centre) else {
        continue
      }
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
        let count = kept.reduce(0) { $0 + ($1 ? 1 : 0) }
        // Half of a view's corners wrong is not a view with wrong corners.
        if count * 2 < original[view].usedCount || count < 4 {
          drop(
            view,
            "does not fit: only \(count) of its \(original[view].usedCount) corners agree with the "
              + "other views; wrong detection")
        } else {
          problem.views[view].isUsed = kept
        }
      }
      solution = try BundleAdjustment.solve(problem, options: options)
      problem = problem.started(from: solution)
      if problem.views == before { break }
    }
  }
}

/// Two digits after the point: residuals for people.
private func pixels(_ value: Double) -> String {
  let hundredths = Int((min(value, 1e6) * 100).rounded())
  let fraction = hundredths % 100
  return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
}
