package import CameraModel

/// Which distortion coefficients earn their place.
///
/// A coefficient that the views cannot support costs more in the corners of the image than it gives
/// where the points are. Coefficients come in steps: k1, k2, p1, p2 always; then k3; then, of the
/// rational model, k4, and last k5 and k6 together (k4 alone already makes the factor rational; k5 and
/// k6 are of use only as a pair). Kannala–Brandt: k1, k2; then k3; then k4. A spline: k1, k2, p1,
/// p2; then k3; k4; the middle knot; the two others. A step is taken only if it
/// lowers the held-out error by more than two standard errors of the paired per-view differences
/// against the steps taken so far; all steps are tried, because a later one can be of use where an
/// earlier one alone is not.
package struct CoefficientSelection: Sendable {
  /// The problem with the chosen coefficients free and the others held at 0, started from `solution`.
  package var problem: SolverProblem
  /// The solution of `problem`.
  package var solution: Solution
  /// Its held-out error; nil below five views.
  package var heldOut: HeldOutError?
  /// The coefficients that were not estimated, or not by the views alone, by name, with the reason.
  package var held: [String: String]
  /// Each step that was tried, in order.
  package var steps: [Step]

  /// One step and what it was worth.
  package struct Step: Sendable, Hashable {
    /// The coefficients that the step adds.
    package var names: [String]
    /// Difference of held-out Σr² divided by its standard error, positive where the step helps; nil
    /// where it could not be had.
    package var ratio: Double?
    /// Where the distortion would fold over inside the image with it; nil where it would not.
    package var foldOver: FoldOver?
    /// Whether the step was taken.
    package var isTaken: Bool
  }

  /// The coefficients that would have earned their place, but with which the distortion folds over.
  package var foldingCoefficients: [String] {
    steps.filter { !$0.isTaken && $0.foldOver != nil && ($0.ratio ?? 0) > Self.threshold }
      .flatMap(\.names).filter { held[$0] != nil }
  }

  /// The number of standard errors that a step must be worth.
  package static let threshold = 2.0

  /// The flags of the smallest set of parameters that is always estimated.
  ///
  /// Focal lengths, principal point, k1, k2 and, where the model has them, p1, p2. The rest, held at 0, is what outliers are best judged with.
  package static func smallestFree(_ model: LensModel) -> [Bool] {
    let all = model.isEstimated
    let added = Set(CoefficientLadder(model, allowed: all).steps.flatMap { $0 })
    return zip(model.parameterNames, all).map { $1 && !added.contains($0) }
  }

  /// Chooses the coefficients for a problem whose outliers are marked already.
  ///
  /// - Parameters:
  ///   - problem: Its `free` flags say which parameters may be free at all; start values of
  ///     coefficients that may be, but are not estimated are replaced by 0.
  ///   - original: The views before points were left out, see `HeldOutError.evaluate`.
  /// - Throws: As `BundleAdjustment.solve`, where already the smallest set can't be solved for.
  package static func choose(
    _ problem: SolverProblem, original: [ObservedView]? = nil, jobs: Int = 1
  ) throws(SolverError) -> CoefficientSelection {
    // What has a prior of its own is estimated with it.
    let open = problem.free.enumerated().map { $1 && problem.priors[$0] == nil }
    let ladder = CoefficientLadder(problem.camera.lensModel, allowed: open)
    var start = problem
    var held: [String: String] = [:]
    if let prior = CoefficientLadder.narrowFisheyePrior(problem) {
      start.priors = prior.priors
      held = prior.reasons
      return try choose(start, ladder: [], held: held, original: original, jobs: jobs)
    }
    for name in ladder.steps.flatMap({ $0 }) { start.hold(name, at: 0) }
    return try choose(start, ladder: ladder.steps, held: held, original: original, jobs: jobs)
  }

  private static func choose(
    _ start: SolverProblem, ladder: [[String]], held: [String: String],
    original: [ObservedView]?, jobs: Int
  ) throws(SolverError) -> CoefficientSelection {
    let options = BundleAdjustment.Options(jobs: jobs)
    let first = try BundleAdjustment.solve(start, options: options)
    var best = CoefficientSelection(
      problem: start.started(from: first), solution: first,
      heldOut: try HeldOutError.evaluate(start, from: first, original: original, jobs: jobs),
      held: held, steps: [])
    var pending: [String] = []
    for names in ladder {
      pending += names
      var trial = best.problem
      for name in pending { trial.free(name) }
      let outcome = try? attempt(trial, original: original, options: options)
      let ratio = outcome.flatMap { outcome in
        best.heldOut?.improvement(by: outcome.heldOut)?.ratio
      }
      let fold = outcome.flatMap { FoldOver(worsening: best.solution.camera, $0.solution.camera) }
      let isTaken = (ratio ?? 0) > threshold && fold == nil
      best.steps.append(Step(names: names, ratio: ratio, foldOver: fold, isTaken: isTaken))
      if isTaken, let outcome {
        best.solution = try BundleAdjustment.solve(outcome.problem, options: options)
        best.problem = outcome.problem.started(from: best.solution)
        best.heldOut = outcome.heldOut
        for name in pending { best.held[name] = nil }
        pending = []
      } else {
        let reason = Self.reason(ratio, fold: fold, hasHeldOut: best.heldOut != nil)
        for name in names { best.held[name] = reason }
      }
    }
    return best
  }

  private static func attempt(
    _ problem: SolverProblem, original: [ObservedView]?, options: BundleAdjustment.Options
  ) throws(SolverError) -> (problem: SolverProblem, solution: Solution, heldOut: HeldOutError) {
    // A coefficient that is not needed lies in a long valley, and its minimum far away; what the step
    // is worth shows long before that is reached.
    var quick = options
    quick.tolerance = 1e-4
    quick.maximumIterations = 40
    let solution = try BundleAdjustment.solve(problem, options: quick)
    guard
      let heldOut = try HeldOutError.evaluate(
        problem, from: solution, original: original, jobs: options.jobs)
    else {
      throw SolverError(
        .tooFewPoints, subject: "views", message: "fewer than five, so none can be held out")
    }
    return (problem.started(from: solution), solution, heldOut)
  }

  private static func reason(_ ratio: Double?, fold: FoldOver?, hasHeldOut: Bool) -> String {
    guard hasHeldOut else { return "held at 0: fewer than five views to tell whether it helps" }
    guard let ratio else { return "held at 0: with it the views can't be solved for" }
    let tenths = Int((max(-999, min(999, ratio)) * 10).rounded())
    let digits = "\(abs(tenths) / 10).\(abs(tenths) % 10)"
    if let fold, ratio > threshold {
      return "held at 0: it would lower the held-out error by \(digits) standard errors, but "
        + fold.reason
    }
    guard tenths >= 0 else {
      return "held at 0: raises the held-out error by \(digits) standard errors"
    }
    return "held at 0: lowers the held-out error by \(digits) standard errors; "
      + "more than 2.0 are needed"
  }
}

extension SolverProblem {
  /// Fixes a parameter at a value; nothing where the model has no such parameter.
  package mutating func hold(_ name: String, at value: Double) {
    guard let index = camera.lensModel.parameterNames.firstIndex(of: name) else { return }
    free[index] = false
    var vector = camera.parameterVector
    vector[index] = value
    camera = CameraParameters(
      resolution: camera.resolution, lensModel: camera.lensModel, parameterVector: vector)
  }

  /// Lets a parameter be estimated; nothing where the model has no such parameter.
  package mutating func free(_ name: String) {
    guard let index = camera.lensModel.parameterNames.firstIndex(of: name) else { return }
    free[index] = true
  }
}
