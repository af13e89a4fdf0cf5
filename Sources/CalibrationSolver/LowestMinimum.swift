import CameraModel

extension BundleAdjustment {
  /// Of more views than this only so many are searched for another minimum: they tell which is the lowest,
  /// in a bounded time.
  private static let searchedViews = 60

  /// Finds the lowest minimum near a start, where least squares have more than one.
  ///
  /// - Throws: As `solve`.
  package static func lowest(
    _ problem: SolverProblem, options: Options = Options()
  ) throws(SolverError) -> Solution {
    let first = try first(problem, options: options)
    return lowered(problem, below: first, options: options) ?? first
  }

  /// A minimum below `solution`; nil where there seems to be none.
  ///
  /// Three things make several: the other pose of a board (`PoseFlips`), the denominator of a rational
  /// lens, which can share a factor with the numerator nearly anywhere (`RationalStart`), and a centre that
  /// the views hardly tell (`ShiftedCentres`). Where none of them is at hand nothing is searched.
  static func lowered(
    _ problem: SolverProblem, below solution: Solution, options: Options
  ) -> Solution? {
    var best = solution
    if let mended = PoseFlips.mended(problem, best) { lower(&best, from: mended, options) }
    if let some = problem.started(from: best).sampled(searchedViews) {
      if let first = try? solve(some, options: options),
        let other = elsewhere(some, below: first, options)
      {
        var start = problem.started(from: best)
        start.camera = other.camera
        lower(&best, from: start, options)
      }
    } else if let other = elsewhere(problem, below: best, options) {
      best = other
    }
    if !best.converged {
      // A valley that goes on and on.
      var patient = options
      patient.maximumIterations = max(1000, options.maximumIterations)
      lower(&best, from: problem.started(from: best), patient)
    }
    return best.isLower(than: solution) ? best : nil
  }

  /// A lower minimum with another denominator or another centre; nil where there seems to be none.
  private static func elsewhere(
    _ problem: SolverProblem, below solution: Solution, _ options: Options
  ) -> Solution? {
    var best = solution
    if CameraStart.hasDenominator(problem.camera.lensModel, problem.free),
      let curve = RationalStart(like: best.camera, over: problem.views)
    {
      for strength in RationalStart.strengths {
        guard let camera = curve.withDenominator(strength: strength) else { continue }
        var start = problem.started(from: best)
        start.camera = problem.keepingHeld(camera)
        lower(&best, from: start, options)
      }
      for names in [["k4", "k5", "k6"], ["k3", "k4", "k5", "k6"]] {
        if let start = withoutTerms(names, problem.started(from: best)) {
          lower(&best, from: start, options)
        }
      }
    }
    for start in ShiftedCentres(problem, best).starts { lower(&best, from: start, options) }
    return best.isLower(than: solution) ? best : nil
  }

  /// Takes what a start leads to, if that is lower.
  private static func lower(
    _ best: inout Solution, from start: SolverProblem, _ options: Options
  ) {
    if let other = try? solve(start, options: options), other.isLower(than: best) { best = other }
  }

  /// A minimum; of a rational lens whose denominator runs away, begun with the numerator alone.
  private static func first(
    _ problem: SolverProblem, options: Options
  ) throws(SolverError) -> Solution {
    let failure: SolverError
    do throws(SolverError) {
      return try solve(problem, options: options)
    } catch {
      failure = error
    }
    guard CameraStart.hasDenominator(problem.camera.lensModel, problem.free) else { throw failure }
    guard let simple = withoutTerms(["k3", "k4", "k5", "k6"], problem) else { throw failure }
    return try solve(simple, options: options)
  }

  /// The problem, started from its solution without some coefficients; nil where there is none.
  private static func withoutTerms(_ names: [String], _ problem: SolverProblem) -> SolverProblem? {
    var fewer = problem
    for name in names { fewer.hold(name, at: 0) }
    fewer.camera = problem.keepingHeld(fewer.camera)
    guard let fit = try? solve(fewer, options: Options(maximumIterations: 60, tolerance: 1e-4))
    else { return nil }
    return problem.started(from: fit)
  }
}

extension SolverProblem {
  /// The problem of `count` views, taken evenly from those that have points; nil where it has no more.
  fileprivate func sampled(_ count: Int) -> SolverProblem? {
    let active = activeViews
    guard active.count > count else { return nil }
    let taken = (0..<count).map { active[$0 * active.count / count] }
    var part = self
    part.views = taken.map { views[$0] }
    part.poses = taken.map { poses[$0] }
    return part
  }

  /// A camera for the same lens with every parameter that is not estimated where the problem has it.
  fileprivate func keepingHeld(_ other: CameraParameters) -> CameraParameters {
    var vector = other.parameterVector
    for index in free.indices where !free[index] { vector[index] = camera.parameterVector[index] }
    return CameraParameters(
      resolution: other.resolution, lensModel: other.lensModel, parameterVector: vector)
  }
}

extension Solution {
  /// Whether this is another minimum, and a lower one, of the same problem.
  func isLower(than other: Solution) -> Bool { variance < other.variance * (1 - 1e-9) }
}
