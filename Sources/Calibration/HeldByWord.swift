import CalibrationSolver
import CalibrationStore
import CameraModel

/// What somebody's word keeps from being estimated, and which option says so.
struct HeldByWord {
  /// The option behind each parameter.
  var options: [String: String]
  /// The bend that the board may have, where it was said to be flat.
  var shape: BoardShape?
  /// What said so.
  var flatOption: String

  /// What the views say against it.
  struct Contradictions {
    /// In words, the cure first.
    var sentences: [String] = []
    /// The share of the image that stays within 0.1 and within 0.4 % of its diagonal where all of it is
    /// estimated; nil where nothing is contradicted.
    var shareUnmoved: (good: Double, fair: Double)?
  }

  /// - Parameters:
  ///   - coefficientCount: The number that was asked for; nil where the views chose.
  ///   - shape: The bend that the board may have, where it was said to be flat.
  ///   - flatOption: The option that said so.
  init(
    _ problem: SolverProblem, _ constraints: ParameterConstraints, coefficientCount: Int?,
    shape: BoardShape?, flatOption: String = "--no-bend"
  ) {
    options = constraints.fixed.mapValues(\.option)
    self.shape = shape
    self.flatOption = flatOption
    guard let coefficientCount else { return }
    let model = problem.camera.lensModel
    // Of the others it takes more than a few deviations to say that they are of use.
    let usual = CoefficientSelection.smallestFree(model)
    for (index, name) in model.parameterNames.enumerated()
    where usual[index] && index >= 4 + coefficientCount && options[name] == nil {
      options[name] = "--coefficients"
    }
  }

  /// - Parameters:
  ///   - problem: Started from its solution.
  ///   - folding: Coefficients that had to be held because the distortion folds over with them. A wrong
  ///     value bends the lens until it does, so they are estimated, too, when its rightness is asked for.
  func contradictions(
    _ problem: SolverProblem, folding: [String] = [], jobs: Int
  ) -> Contradictions {
    var problem = problem
    for (index, name) in problem.camera.lensModel.parameterNames.enumerated()
    where folding.contains(name) && options[name] == nil {
      problem.free[index] = true
    }
    let found = FixedConflict.findings(
      problem, names: Set(options.keys), shape: shape, jobs: jobs)
    guard !found.conflicts.isEmpty else { return Contradictions() }
    let diagonal = problem.camera.resolution.diagonal
    let unmoved = found.shift.map {
      (good: $0.share(within: 0.001 * diagonal), fair: $0.share(within: 0.004 * diagonal))
    }
    // No board is quite flat: it is its being taken for flat that has to matter.
    let isMoved = unmoved.map { $0.good < VerdictRules.goodShare } ?? true
    let told = found.conflicts.filter { $0.name != FixedConflict.bend || isMoved }
    guard !told.isEmpty else { return Contradictions() }
    return Contradictions(
      sentences: told.map {
        $0.sentence(option: $0.name == FixedConflict.bend ? flatOption : options[$0.name])
      }, shareUnmoved: unmoved)
  }
}

extension FixedConflict {
  /// What is said of it, with the cure first.
  ///
  /// - Parameter option: What holds the parameter; nil of proportions.
  func sentence(option: String?) -> String {
    let distance = abs(alone - value) / deviation
    let away = (distance < 1000 ? fixed(distance, 0) : "more than a thousand") + " deviations away"
    switch name {
    case Self.bend:
      return
        "Leave out \(option ?? "--no-bend"): the board is taken for flat, but the views say that its middle stands off "
        + "by \(fixed(100 * abs(alone), 3)) ± \(fixed(100 * deviation, 3)) % of its length."
    case Self.proportions:
      return
        "Leave out --square-pixels: fx and fy are one number, but the views say that fx/fy is "
        + "\(fixed(alone, 5)) ± \(fixed(deviation, 5)), which is \(away)."
    default:
      let digits = name.hasPrefix("f") || name.hasPrefix("c") ? 2 : 6
      return
        "Check \(option ?? "--fix"), or leave it out: \(name) is held at \(fixed(value, digits)), but "
        + "the views say \(fixed(alone, digits)) ± \(fixed(deviation, digits)), which is \(away)."
    }
  }
}
