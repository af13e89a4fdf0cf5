import Locking

/// The error on views that took no part in the estimate.
///
/// The views are dealt into k = min(n, 10) folds, one after another, so that neighbours in time lie in
/// different folds (near-copies of a view make the estimate optimistic; leaving out a contiguous part
/// of a video would leave out a part of the image instead). For each fold the shared parameters come
/// from the other views alone, then only the pose of each held-out view is fitted, on all its used
/// points. That refit takes up error that looks like a pose, so the figure is a lower bound of what a
/// user of fixed poses would see.
package struct HeldOutError: Sendable {
  /// √(Σr²/(2·points − 6·views)) over all held-out views, per axis, pixels.
  package var sigma: Double
  /// Σ‖residual‖² of each view while it was held out, px²; nil for views that take no part.
  package var viewSquares: [Double?]
  /// The number of held-out points with a residual beyond 3.5 σ of their own fold's training views.
  package var pointsBeyond: Int
  /// The number of folds.
  package var foldCount: Int

  /// Holds out each view in turn, starting from a solution; nil below five views.
  ///
  /// - Parameters:
  ///   - problem: What was solved. In each fold the points of the training views are judged anew, also
  ///     those that `solution` left out, so that a held-out view has no say in it.
  ///   - original: The views before any points were left out; nil where none were.
  ///   - jobs: The number of threads; the result does not depend on it.
  /// - Throws: As `BundleAdjustment.solve`, from the first fold that fails.
  package static func evaluate(
    _ problem: SolverProblem, from solution: Solution, original: [ObservedView]? = nil,
    jobs: Int = 1
  ) throws(SolverError) -> HeldOutError? {
    let active = problem.activeViews
    guard active.count >= 5 else { return nil }
    let folds = min(active.count, 10)
    let start = problem.started(from: solution)
    let results = Parallel.map(folds, jobs: jobs) { fold in
      let held = active.indices.filter { $0 % folds == fold }.map { active[$0] }
      return Fold(held: held).evaluate(start, original: original)
    }
    var squares = [Double?](repeating: nil, count: problem.views.count)
    var (sum, points, beyond) = (0.0, 0, 0)
    for result in results {
      let fold = try result.get()
      for (view, square) in fold.squares {
        squares[view] = square
        sum += square
        points += problem.views[view].usedCount
      }
      beyond += fold.pointsBeyond
    }
    let degrees = 2 * points - 6 * active.count
    guard degrees > 0 else { return nil }
    return HeldOutError(
      sigma: (sum / Double(degrees) * problem.varianceCorrection).squareRoot(),
      viewSquares: squares, pointsBeyond: beyond, foldCount: folds)
  }
}

/// One set of views that is held out.
private struct Fold {
  var held: [Int]

  struct Outcome: Sendable {
    var squares: [(view: Int, squares: Double)]
    var pointsBeyond: Int
  }

  func evaluate(
    _ problem: SolverProblem, original: [ObservedView]?
  ) -> Result<Outcome, SolverError> {
    do throws(SolverError) {
      return .success(try run(problem, original: original))
    } catch {
      return .failure(error)
    }
  }

  private func run(
    _ problem: SolverProblem, original: [ObservedView]?
  ) throws(SolverError) -> Outcome {
    var training = problem
    for view in held {
      training.views[view].isUsed = problem.views[view].isUsed.map { _ in false }
    }
    // A step of a hundredth of a deviation is far below what folds are compared by.
    let options = BundleAdjustment.Options(
      maximumIterations: 30, tolerance: 1e-4, initialDamping: 1e-6)
    var solution = try BundleAdjustment.solve(training, options: options)
    if let original, rejudge(&training, solution, original: original) {
      solution = try BundleAdjustment.solve(training.started(from: solution), options: options)
    }
    var outcome = Outcome(squares: [], pointsBeyond: 0)
    let limit = OutlierRejection.threshold * solution.sigma
    for view in held {
      let fit = try refined(view, problem, solution)
      outcome.squares.append((view, fit.squares))
      let residuals = problem.views[view].weighted(fit.residuals)
      outcome.pointsBeyond += zip(residuals, problem.views[view].isUsed).count { r, isUsed in
        isUsed && (r * r).sum() > limit * limit
      }
    }
    return outcome
  }

  /// The pose of a held-out view before a camera that it had no say in.
  private func refined(
    _ view: Int, _ problem: SolverProblem, _ solution: Solution
  ) throws(SolverError) -> PoseEstimation.Fit {
    do throws(SolverError) {
      return try PoseEstimation.refine(
        problem.views[view], camera: solution.camera, bend: solution.bend,
        from: problem.poses[view], tolerance: 1e-6)
    } catch {
      throw error.ofOnlyView(view)
    }
  }

  /// Judges the points of the training views by the training fit; whether any changed.
  private func rejudge(
    _ training: inout SolverProblem, _ solution: Solution, original: [ObservedView]
  ) -> Bool {
    let active = training.activeViews
    let norms = active.flatMap { original[$0].norms(solution.residuals[$0]) }
    guard let sigma = RobustSpread.sigma(ofNorms: norms) else { return false }
    let judge = PointJudge(sigma: sigma, threshold: OutlierRejection.threshold)
    var changed = false
    for view in active {
      let kept = judge.keep(original[view], residuals: solution.residuals[view])
      let count = kept.count { $0 }
      guard count >= 4, kept != training.views[view].isUsed else { continue }
      training.views[view].isUsed = kept
      changed = true
    }
    return changed
  }
}

extension HeldOutError {
  /// Whether a second model does better on the same points: the mean of the paired per-view differences
  /// of Σr² (this − other, positive where `other` is better) and its standard error, px².
  ///
  /// - Returns: nil with fewer than two views in common.
  package func improvement(by other: HeldOutError) -> PairedDifference? {
    PairedDifference(
      zip(viewSquares, other.viewSquares).compactMap { mine, theirs in
        if let mine, let theirs { mine - theirs } else { nil }
      })
  }
}

/// The mean of paired differences and how well it is known.
package struct PairedDifference: Sendable, Hashable {
  /// The mean difference.
  package var mean: Double
  /// The standard error of the mean.
  package var standardError: Double

  /// nil of fewer than two differences, or where one is not finite.
  package init?(_ differences: [Double]) {
    guard differences.count >= 2, differences.allSatisfy(\.isFinite) else { return nil }
    let n = Double(differences.count)
    let mean = differences.reduce(0, +) / n
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    self.mean = mean
    standardError = (squares / (n - 1) / n).squareRoot()
  }

  /// The least standard error that counts, px²: what is smaller is rounding.
  static let rounding = 1e-10

  /// Mean divided by standard error.
  package var ratio: Double { mean / max(standardError, Self.rounding) }
}
