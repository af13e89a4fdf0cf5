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
  var uncertainty: IntrinsicsRecord.ProjectionUncertainty?
  /// The parameters that were not estimated, with the reasons.
  var held: [String: String]
  /// The judgement.
  var verdict: IntrinsicsRecord.Verdict

  init(_ fit: LensFit, _ coverage: IntrinsicsRecord.Coverage) throws {
    let solution = fit.solution
    let both = try ParameterCovariance(solution)
    deviations = both.standardDeviations
    covariance = IntrinsicsRecord.ParameterCovariance(
      parameters: both.names, noise: both.noise, viewToView: both.viewToView)
    error = IntrinsicsRecord.ReprojectionError(
      rms: solution.rms, sigma: solution.sigma, heldOutSigma: nil)
    held = [:]
    uncertainty = IntrinsicsRecord.ProjectionUncertainty(
      ProjectionUncertainty(solution, covariance: both))
    verdict = VerdictRules.verdict(
      VerdictRules.Evidence(
        viewCount: fit.members.count, uncertainty: uncertainty, error: error, coverage: coverage,
        largestTilt: solution.poses.map(CoverageMap.tiltDegrees).max() ?? 0, foldOver: nil,
        disagreements: [], weaknesses: [], deviationRatio: both.ratios?.max()))
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
