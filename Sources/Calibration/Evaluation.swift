import CalibrationSolver
import CalibrationStore
import CameraModel

/// How good a fit is: the figures of the record and the verdict on them.
struct Evaluation {
  /// 1σ of each free parameter: the larger of noise and view-to-view.
  var deviations: [String: Double]
  /// Both covariances.
  var covariance: IntrinsicsRecord.ParameterCovariance
  /// The residual figures.
  var error: IntrinsicsRecord.ReprojectionError
  /// The projection uncertainty over the image.
  var uncertainty: IntrinsicsRecord.ProjectionUncertainty
  /// The parameters that were not estimated, with the reasons.
  var held: [String: String]
  /// The bend of the board; nil where it was taken for flat.
  var bend: IntrinsicsRecord.BoardBend?
  /// The judgement.
  var verdict: IntrinsicsRecord.Verdict
  /// What the residuals have in common.
  var residualPatterns: IntrinsicsRecord.ResidualPatterns

  /// A combination of parameters is worth a word from this share of the image's diagonal on, by which
  /// one deviation along it moves the image: the level that "good" is measured by.
  static let notableWeakness = 0.001

  init(
    _ fit: LensFit, coverage: IntrinsicsRecord.Coverage, disagreement: ViewDisagreement,
    constraints: ParameterConstraints = ParameterConstraints(), coefficientCount: Int? = nil,
    flatShape: BoardShape? = nil, flatOption: String = "--no-bend", lensHint: LensHint? = nil,
    jobs: Int = 1, stages: StageClock = StageClock()
  ) throws(CalibrationError) {
    let solution = fit.solution
    let both: ParameterCovariance
    do {
      both = try stages.measure(.solve) { () throws(SolverError) in
        try ParameterCovariance(solution, jobs: jobs)
      }
    } catch {
      throw CalibrationError(
        .unsolvable,
        "These views determine no camera (\(error)). Take more views, with the board tilted and at "
          + "several places in the image.")
    }
    deviations = both.standardDeviations
    let all = both.spread
    covariance = IntrinsicsRecord.ParameterCovariance(
      parameters: all.names, noise: all.noise, viewToView: all.viewToView)
    if let sagitta = solution.bend?.sagitta, let deviations = both.bendDeviations {
      bend = IntrinsicsRecord.BoardBend(
        x: sagitta.x, y: sagitta.y, deviationX: deviations.x, deviationY: deviations.y)
    }
    let excess = solution.bend.flatMap { bend in
      both.bendDeviations.flatMap { BendKnowledge.implausible(bend, deviations: $0) }
    }
    error = IntrinsicsRecord.ReprojectionError(
      rms: solution.rms, sigma: solution.sigma, heldOutSigma: fit.selection.heldOut?.sigma)
    held = fit.selection.held
    // The radial terms of an angle make up for each other: a k3 that the views do not show moves k2 by more
    // than its deviation.
    let own = fit.selection.held
    if solution.camera.lensModel == .fisheye,
      let first = ["k3", "k4"].first(where: { own[$0]?.hasPrefix("held at 0: ") == true })
    {
      held[first]? += "; the deviations of the other coefficients hold only together with this 0"
    }
    let grid = stages.measure(.solve) {
      ProjectionUncertainty(solution, covariance: both, jobs: jobs)
    }
    let depth = solution.linearization.medianDepth
    let atBoards = stages.measure(.solve) {
      ProjectionUncertainty(solution, covariance: both, distance: depth, jobs: jobs)
    }
    uncertainty = IntrinsicsRecord.ProjectionUncertainty(grid)
    uncertainty.atBoards = .init(
      distance: depth, median: atBoards.median, p90: atBoards.p90, worst: atBoards.worst)
    let patterns = stages.measure(.evaluate) {
      ResidualPatterns(fit.selection.problem, solution: solution)
    }
    residualPatterns = IntrinsicsRecord.ResidualPatterns(
      patterns, heldOutBeyond: fit.selection.heldOut?.pointsBeyond)
    let limit = Self.notableWeakness * solution.camera.resolution.diagonal
    let weaknesses = stages.measure(.evaluate) {
      WeakDirection.directions(of: solution).filter { $0.pixels > limit }
    }
    // A fisheye's image circle may end inside the image; there the uncertainty says "no data", and the
    // verdict where that begins.
    let fold = solution.camera.lensModel == .fisheye ? nil : FoldOver(solution.camera)
    let word = HeldByWord(
      fit.selection.problem, constraints, coefficientCount: coefficientCount, shape: flatShape,
      flatOption: flatOption)
    let folding = fit.foldOverCoefficients + fit.selection.foldingCoefficients
    let contradictions = stages.measure(.evaluate) {
      word.contradictions(fit.selection.problem, folding: folding, jobs: jobs)
    }
    verdict = VerdictRules.verdict(
      VerdictRules.Evidence(
        viewCount: fit.members.count, uncertainty: uncertainty, error: error, coverage: coverage,
        largestTilt: solution.poses.map(CoverageMap.tiltDegrees).max() ?? 0,
        foldOver: fold?.reason, imageLimit: Self.limit(solution.camera),
        foldOverCoefficients: folding,
        diagonal: solution.camera.resolution.diagonal, disagreements: disagreement.verdicts,
        doubts: disagreement.doubts,
        contradictedValues: contradictions.sentences, shareUnmoved: contradictions.shareUnmoved,
        contradictedPriors: PriorConflict.all(solution, both).map(\.sentence),
        residualWaves: patterns.complaints(sigma: solution.sigma),
        weaknesses: Self.sentences(weaknesses.prefix(2).map(\.sentence)),
        deviationRatio: both.ratios?.max(), implausibleBend: excess, knowsBend: bend != nil,
        lensHint: lensHint))
  }
}

extension Evaluation {
  /// From where on a lens for wide angles says nothing of the image; nil where it covers all of it, and for
  /// other lenses, which must.
  static func limit(_ camera: CameraParameters) -> String? {
    guard camera.lensModel.isAngular, let reach = RadialReach(camera) else { return nil }
    let why =
      reach.isEndOfPoints
      ? "no corner was seen farther out" : "there the distorted radius stops growing"
    return
      "Nothing can be said beyond \(reach.text), \(fixed(100 * reach.share, 0)) % of the way to the "
      + "farthest corner of the image: \(why). Where the lens shows something beyond, show the board there."
  }

  /// Clauses as sentences; of two that ask for the same, one about some of the other's parameters, only
  /// the one that names more.
  static func sentences(_ clauses: [String]) -> [String] {
    let mark = " cannot be told apart: "
    func parts(_ clause: String) -> (names: Set<Substring>, cure: String)? {
      guard let place = clause.firstRange(of: mark) else { return nil }
      let names = clause[..<place.lowerBound].split { $0 == "," || $0 == " " }
      return (Set(names), String(clause[place.upperBound...]))
    }
    let kept = clauses.indices.filter { index in
      guard let own = parts(clauses[index]) else { return true }
      return !clauses.indices.contains { other in
        guard other != index, let more = parts(clauses[other]), more.cure == own.cure else {
          return false
        }
        // Of equal ones the first.
        return own.names.isStrictSubset(of: more.names)
          || (own.names == more.names && other < index)
      }
    }
    return kept.map { sentence(clauses[$0]) }
  }

  /// A clause as a sentence; the name of a parameter keeps its spelling.
  static func sentence(_ clause: String) -> String {
    let first = clause.prefix { !$0.isWhitespace && $0 != "," }
    let names = Set(LensModel.allCases.flatMap(\.parameterNames))
    return
      (names.contains(String(first))
      ? clause : clause.prefix(1).uppercased() + clause.dropFirst()) + "."
  }
}

extension PriorConflict {
  /// What is said of it, with the cure first.
  var sentence: String {
    let digits = name.hasPrefix("f") || name.hasPrefix("c") ? 2 : 6
    let (mean, own) = (fixed(prior.mean, digits), fixed(prior.deviation, digits))
    let views =
      deviation.isFinite
      ? "the views alone say \(fixed(alone, digits)) ± \(fixed(deviation, digits))"
      : "the estimate is \(fixed(estimate, digits))"
    return
      "Check what is known of \(name) beforehand: its prior says \(mean) ± \(own), and \(views)."
  }
}

extension IntrinsicsRecord.ProjectionUncertainty {
  init(_ grid: ProjectionUncertainty) {
    self.init(
      columns: ProjectionUncertainty.columns, rows: ProjectionUncertainty.rows, sigma: grid.sigma,
      median: grid.median, p90: grid.p90, worst: grid.worst,
      share: Dictionary(
        zip(ProjectionUncertainty.levels, grid.share).map { (String($0), $1) },
        uniquingKeysWith: { first, _ in first }))
  }
}
