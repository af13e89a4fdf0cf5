import Locking

/// The error on views that took no part in the estimate.
///
/// The views are dealt into k = min(n, 10) folds, one after another, so that neighbours in time lie in
/// different folds (near-copies of a view make the estimate optimistic; leaving out a contiguous part
/// of a video would leave out a part of the image instead). For each fold the shared parameters come
/// from the other views alone, then only the pose of each held-out view is fitted, on all its used
/// points. That refit takes up error that looks like a pose, so the figure is a lower bound of what a
/// user of fixed poses would see.
///
/// Where leaving out a fold moves the camera by so little that one step in the linear picture of the whole
/// solution leads to the same place, that step is taken (`FoldSteps`): the fold that moves it the most is
/// solved for, and tells whether that is so.
package struct HeldOutError: Sendable {
  /// √(Σr²/(2·points − 6·views)) over all held-out views, per axis, pixels.
  package var sigma: Double
  /// Σ‖residual‖² of each view while it was held out, px²; nil for views that take no part.
  package var viewSquares: [Double?]
  /// The number of held-out points with a residual beyond 3.5 σ of their own fold's training views.
  package var pointsBeyond: Int
  /// The number of folds.
  package var foldCount: Int

  /// Steps are as good as solutions where they give the held-out squares to within this share.
  private static let agreement = 1e-3

  /// Holds out each view in turn, starting from a solution; nil below five views.
  ///
  /// - Parameters:
  ///   - problem: What was solved. In each fold that is solved for, the points of the training views are
  ///     judged anew, also those that `solution` left out, so that a held-out view has no say in it.
  ///   - original: The views before any points were left out; nil where none were.
  ///   - jobs: The number of threads; the result does not depend on it.
  /// - Throws: As `BundleAdjustment.solve`, from the first fold that fails.
  package static func evaluate(
    _ problem: SolverProblem, from solution: Solution, original: [ObservedView]? = nil,
    jobs: Int = 1
  ) throws(SolverError) -> HeldOutError? {
    let active = problem.activeViews
    guard active.count >= 5 else { return nil }
    let count = min(active.count, 10)
    let folds = (0..<count).map { fold in
      Fold(held: active.indices.filter { $0 % count == fold }.map { active[$0] })
    }
    let start = problem.started(from: solution)
    let all = try outcomes(start, solution, folds, original: original, jobs: jobs)
    var squares = [Double?](repeating: nil, count: problem.views.count)
    var (sum, points, beyond) = (0.0, 0, 0)
    for (fold, own) in zip(folds, all) {
      beyond += own.pointsBeyond
      for (view, square) in zip(fold.held, own.squares) {
        squares[view] = square
        sum += square
        points += problem.views[view].usedCount
      }
    }
    let degrees = 2 * points - 6 * active.count
    guard degrees > 0 else { return nil }
    return HeldOutError(
      sigma: (sum / Double(degrees) * problem.varianceCorrection).squareRoot(),
      viewSquares: squares, pointsBeyond: beyond, foldCount: count)
  }

  /// What each fold gave.
  private static func outcomes(
    _ start: SolverProblem, _ solution: Solution, _ folds: [Fold], original: [ObservedView]?,
    jobs: Int
  ) throws(SolverError) -> [Fold.Outcome] {
    var known: [Int: Fold.Outcome] = [:]
    if let steps = FoldSteps(start, solution, folds.map(\.held)) {
      let farthest = steps.farthest
      let solved = try folds[farthest].solved(start, original: original)
      known[farthest] = solved
      if agree(try? folds[farthest].outcome(start, steps.cameras[farthest]), solved) {
        let others = folds.indices.filter { $0 != farthest }
        let stepped = Parallel.map(others.count, jobs: jobs) { place in
          try? folds[others[place]].outcome(start, steps.cameras[others[place]])
        }
        for (fold, outcome) in zip(others, stepped) { known[fold] = outcome }
      }
    }
    let rest = folds.indices.filter { known[$0] == nil }
    let results = Parallel.map(rest.count, jobs: jobs) { place in
      Result { () throws(SolverError) in try folds[rest[place]].solved(start, original: original) }
    }
    for (fold, result) in zip(rest, results) { known[fold] = try result.get() }
    return folds.indices.compactMap { known[$0] }
  }

  private static func agree(_ stepped: Fold.Outcome?, _ solved: Fold.Outcome) -> Bool {
    guard let stepped else { return false }
    let difference = zip(stepped.squares, solved.squares).reduce(0) { $0 + abs($1.0 - $1.1) }
    return difference <= agreement * solved.squares.reduce(0, +)
  }
}

/// One set of views that is held out.
private struct Fold {
  var held: [Int]

  struct Outcome: Sendable {
    /// Σ‖residual‖² of each of `held`.
    var squares: [Double]
    var pointsBeyond = 0
  }

  /// What its views give with the camera that the other views are solved for.
  func solved(
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
    return try outcome(
      problem,
      FoldSteps.Camera(camera: solution.camera, bend: solution.bend, sigma: solution.sigma))
  }

  /// What its views give with a camera, the poses fitted: all of them in one search.
  func outcome(
    _ problem: SolverProblem, _ found: FoldSteps.Camera
  ) throws(SolverError) -> Outcome {
    let views = held.map { problem.views[$0] }
    let solution = try refined(
      SolverProblem(
        camera: found.camera, views: views, poses: held.map { problem.poses[$0] },
        free: problem.free.map { _ in false },
        shape: found.bend.map { BoardShape($0, isFree: false) }))
    let limit = OutlierRejection.threshold * found.sigma
    var outcome = Outcome(squares: zip(views, solution.residuals).map { $0.squares($1) })
    for (view, residuals) in zip(views, solution.residuals) {
      outcome.pointsBeyond += view.norms(residuals).count { $0 > limit }
    }
    return outcome
  }

  /// The least squares of a problem that consists of `held`.
  private func refined(_ problem: SolverProblem) throws(SolverError) -> Solution {
    do throws(SolverError) {
      return try BundleAdjustment.solve(problem, options: .init(tolerance: 1e-6))
    } catch {
      guard let place = error.view, held.indices.contains(place) else { throw error }
      throw SolverError(error.code, view: held[place], message: error.message)
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
