import CalibrationSolver
import CalibrationStore
import CameraModel

/// A fit of every lens model, and the one that held-out errors choose.
///
/// Each model is fitted by itself first, from a start of its own, as if it had been asked for: what comes
/// out with the wrong model is no start for the right one. Then all are solved again on the same points,
/// those of the fit that explains the most, and compared view by view (`LensComparison`). The fit that is
/// handed on is the chosen model's own.
struct LensChoice {
  /// The chosen model's fit, as if it had been asked for.
  var settled: SettledFit
  /// What each model gives, from simple to rich.
  var candidates: [IntrinsicsRecord.LensCandidate]

  /// Where too few views leave nothing to hold out, a richer model is preferred only if it lowers sigma to
  /// less than this share.
  private static let gainWithoutHeldOut = 0.5

  /// - Parameter fitting: Whose lens model does not count.
  /// - Throws: `CalibrationError` where the views determine no camera of any model.
  init(
    _ fitting: LensFitting, sample: [Int], isCancelled: () -> Bool = { false }
  ) throws(CalibrationError) {
    var fits: [LensModel: SettledFit] = [:]
    var failures: [LensModel: CalibrationError] = [:]
    var notes: [LensModel: String] = [:]
    for model in LensComparison.simplicity {
      var one = fitting
      one.lensModel = model
      do throws(CalibrationError) {
        let settled = try SettledFit(one, sample: sample, isCancelled: isCancelled)
        if let simpler = settled.fit.selection.simplerEquivalent, fits[simpler] != nil {
          notes[model] = Self.note(settled.fit, simpler, one)
        } else {
          fits[model] = settled
        }
      } catch {
        if error.code == .interrupted { throw error }
        failures[model] = error
        notes[model] = "cannot be fitted to these views: " + error.firstClause
      }
    }
    guard let reference = Self.explainingMost(fits) else {
      throw LensComparison.simplicity.lazy.compactMap { failures[$0] }.first
        ?? CalibrationError(.unsolvable, "No lens model explains these views.")
    }
    let (comparison, unsolved) = fitting.stages.measure(.evaluate) {
      Self.comparison(fits, on: reference, fitting)
    }
    notes.merge(unsolved) { first, _ in first }
    let choice = comparison.choice ?? Self.choice(bySigma: comparison)
    guard let settled = fits[choice ?? reference] else {
      throw CalibrationError(.unsolvable, "No lens model explains these views.")
    }
    self.settled = settled
    let chosen = choice ?? reference
    candidates = LensComparison.simplicity.map { model in
      guard let candidate = comparison.candidates.first(where: { $0.lensModel == model }) else {
        var candidate = IntrinsicsRecord.LensCandidate(lensModel: model.rawValue)
        candidate.note = notes[model]
        return candidate
      }
      var row = IntrinsicsRecord.LensCandidate(candidate, isChosen: model == chosen)
      if model == chosen, let own = Self.note(row, result: settled.fit) {
        row.note = row.note.map { "\($0); \(own)" } ?? own
      }
      return row
    }
  }

  /// Why a model that came out as a simpler one did so.
  private static func note(_ fit: LensFit, _ simpler: LensModel, _ fitting: LensFitting) -> String {
    let further = fit.selection.furtherCoefficients
    guard
      fitting.coefficientCount != nil
        || further.contains(where: fit.foldOverCoefficients.contains)
    else {
      return "none of its further coefficients earns its place: it is the \(simpler.rawValue) lens"
    }
    let held = "held at 0: "
    let reason = further.lazy.compactMap { fit.selection.held[$0] }.first ?? held + "--coefficients"
    return
      "without \(VerdictRules.list(further)) it is the \(simpler.rawValue) lens, and they are held at 0: "
      + (reason.hasPrefix(held) ? String(reason.dropFirst(held.count)) : reason)
  }

  /// What the result's own figures are, where they differ from those on the points of the comparison; nil
  /// where they do not.
  private static func note(
    _ row: IntrinsicsRecord.LensCandidate, result: LensFit
  ) -> String? {
    let (sigma, heldOut) = (result.solution.sigma, result.selection.heldOut?.sigma)
    guard
      fixed(row.sigma, 4) != fixed(sigma, 4) || fixed(row.heldOutSigma, 4) != fixed(heldOut, 4)
    else { return nil }
    return "on the points that it explains itself, as in the result, sigma \(fixed(sigma, 4))"
      + (heldOut.map { ", held out \(fixed($0, 4))" } ?? "")
  }

  /// The model whose fit puts the most points where they were seen, to within what the best fit takes for
  /// an outlier: a poor model takes many points along by calling its own error noise, and one that fits a
  /// few views alone very well loses the others.
  private static func explainingMost(_ fits: [LensModel: SettledFit]) -> LensModel? {
    let limit =
      OutlierRejection.threshold * (fits.values.map(\.fit.solution.sigma).min() ?? .infinity)
    func count(_ fit: LensFit) -> Int {
      zip(fit.views, fit.solution.residuals).reduce(0) { sum, view in
        sum
          + view.1.indices.count { point in
            view.0.weight(point) * (view.1[point] * view.1[point]).sum() <= limit * limit
          }
      }
    }
    let counts = fits.mapValues { count($0.fit) }
    // Of equal ones the simplest.
    return LensComparison.simplicity.filter { fits[$0] != nil }.max {
      (counts[$0] ?? 0) < (counts[$1] ?? 0)
        || (counts[$0] == counts[$1] && !LensComparison.isSimpler($0, than: $1))
    }
  }

  /// All fits on the views and points of one of them, and why some can't be solved for there.
  private static func comparison(
    _ fits: [LensModel: SettledFit], on reference: LensModel, _ fitting: LensFitting
  ) -> (LensComparison, [LensModel: String]) {
    guard let base = fits[reference]?.fit else { return (LensComparison([]), [:]) }
    let original = fitting.keepsOutliers ? nil : base.members.map { fitting.views[$0] }
    var unsolved: [LensModel: String] = [:]
    var selections = [base.selection]
    for model in LensComparison.simplicity where model != reference {
      guard let fit = fits[model]?.fit else { continue }
      do throws(SolverError) {
        selections.append(
          try fit.selection(on: base, original: original, jobs: fitting.jobs))
      } catch {
        unsolved[model] = "cannot show all points that a \(reference.rawValue) lens explains"
      }
    }
    return (LensComparison(selections), unsolved)
  }

  private static func choice(bySigma comparison: LensComparison) -> LensModel? {
    let candidates = comparison.candidates.filter { $0.exclusion == nil }
    let least = candidates.map(\.selection.solution.sigma).min() ?? 0
    return candidates.first { gainWithoutHeldOut * $0.selection.solution.sigma <= least }?.lensModel
  }
}

extension LensFit {
  /// The same camera model with the same coefficients, solved on another fit's views and points.
  ///
  /// - Parameter original: The views of `other` before points were left out; nil where none were.
  fileprivate func selection(
    on other: LensFit, original: [ObservedView]?, jobs: Int
  ) throws(SolverError) -> CoefficientSelection {
    var problem = selection.problem
    problem.camera = solution.camera
    problem.views = other.views
    problem.varianceCorrection = other.selection.problem.varianceCorrection
    var poses: [Pose] = []
    for (place, view) in other.members.enumerated() {
      if let mine = members.firstIndex(of: view) {
        poses.append(solution.poses[mine])
      } else {
        poses.append(
          (try? PoseEstimation.start(other.views[place], camera: solution.camera))
            ?? other.solution.poses[place])
      }
    }
    problem.poses = poses
    let solved = try BundleAdjustment.solve(problem, jobs: jobs)
    return try CoefficientSelection.fixed(
      problem, solution: solved, held: selection.held, original: original, jobs: jobs)
  }
}

extension IntrinsicsRecord.LensCandidate {
  init(_ candidate: LensComparison.Candidate, isChosen: Bool) {
    self.init(lensModel: candidate.lensModel.rawValue)
    let solution = candidate.selection.solution
    parameterCount = candidate.parameterCount
    sigma = solution.sigma.isFinite ? solution.sigma : nil
    heldOutSigma = candidate.selection.heldOut?.sigma
    if heldOutSigma != nil {
      standardErrorsBehindBest = candidate.behindBest.map { max(-1e9, min(1e9, $0.ratio)) } ?? 0
    }
    imageShare = ProjectionUncertainty.shareWithData(of: solution.camera)
    self.isChosen = isChosen
    note = candidate.exclusion
  }
}
