package import Boards
package import CalibrationSolver

/// When the bend of a board is estimated, and what holds it until then.
package enum BendKnowledge {
  /// From this deviation down the views alone tell the bend, as a share of the corner field's length:
  /// 0.05 mm of 240 mm.
  static let deviationShare = 0.05 / 240
  /// How far boards are from flat, 1σ, as a share of the corner field's length: 0.3 mm of 240 mm.
  static let priorShare = 0.3 / 240

  /// A bend beyond this share of the corner field's length is no board's on something stiff.
  ///
  /// Three times the prior: 0.9 mm of 240 mm. Of 12 real sets with sound results the largest is 0.25 %.
  static let implausibleShare = 3 * priorShare

  /// The bend as a share of the corner field's length, where it is more than a board's and its own
  /// uncertainty; nil elsewhere.
  static func implausible(_ bend: BoardBend, deviations: SIMD2<Double>) -> Double? {
    (0..<2).filter { abs(bend.sagitta[$0]) > 3 * deviations[$0] }
      .map { abs(bend.sagitta[$0]) / bend.length }.filter { $0 > implausibleShare }.max()
  }

  /// A board that may be bent, held by the prior.
  package static func shape(_ board: ChessboardGeometry) -> BoardShape? {
    BoardBend(over: board.cornerPoints, isRound: board.orientationCount == 4).map { bend in
      BoardShape(bend, prior: prior(bend))
    }
  }

  /// - Parameter ratio: The variance of the bend between views by that from noise.
  private static func prior(_ bend: BoardBend, ratio: Double = 1) -> ParameterPrior {
    ParameterPrior(mean: 0, deviation: priorShare * bend.length, emphasis: max(1, ratio))
  }

  /// The problem with the prior where its solution asks for one, and without where not; nil where it
  /// is as it should be.
  ///
  /// Views that disagree know the bend less well than their residuals say: against them the prior counts
  /// as much more as the variance between views is larger than that from noise.
  package static func settled(_ problem: SolverProblem, _ solution: Solution) -> SolverProblem? {
    guard let shape = problem.shape, shape.isFree, let bend = solution.bend else { return nil }
    var wanted: ParameterPrior? = prior(bend)
    if let views = ParameterCovariance.unaidedBend(solution) {
      wanted =
        views.deviations.max() < deviationShare * bend.length
        ? nil : prior(bend, ratio: views.ratio)
    }
    switch (wanted, shape.prior) {
    case (nil, nil): return nil
    case (let wanted?, let present?):
      // The ratio is itself an estimate: another one as near as this changes nothing.
      let change = wanted.emphasis / present.emphasis
      if change < 1.5, change > 1 / 1.5 { return nil }
    default: break
    }
    var next = problem.started(from: solution)
    next.shape?.prior = wanted
    return next
  }
}
