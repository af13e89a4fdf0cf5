import CalibrationSolver
import CameraModel

extension LensFitting {
  /// A fit to a flat board, with the board's bend estimated, too.
  ///
  /// It starts from the flat board, so its sum of squares is never above that. Where the board turns out to be
  /// bent, coefficients are chosen once more on the bent one: on the flat one they may have imitated the bend.
  ///
  /// - Parameters:
  ///   - first: The fit to a flat board that coefficients were chosen from.
  ///   - climbed: The coefficients that could not be had, with the reasons.
  func bent(
    _ flat: LensFit, _ flatRobust: RobustFit, _ shape: BoardShape, first: RobustFit,
    held climbed: [String: String]
  ) throws(CalibrationError) -> (LensFit, RobustFit) {
    var start = flatRobust.restart
    start.shape = shape
    start.shape?.bend.sagitta = SIMD2()
    var robust = try settled(
      reaching(RobustFit(self, start, members: flatRobust.members, dropped: flatRobust.dropped)))
    robust = try readmitting(robust)
    var fit = try evaluated(robust, like: flat)
    robust.evaluation = fit.selection
    (fit, robust) = try withoutFoldOver(fit, robust)
    guard coefficientCount == nil, isBent(robust.solution) else { return (fit, robust) }
    let (choice, chosen) = try chosen(
      known(robust, from: first), held: climbed, isStart: true)
    if choice.selection.problem.free == robust.problem.free {
      return (try evaluated(robust, like: choice), robust)
    }
    var again = chosen.restart
    again.camera = choice.solution.camera
    again.poses = choice.solution.poses
    again.free = choice.selection.problem.free
    again.priors = choice.selection.problem.priors
    again.shape = robust.problem.shape
    let other = try settled(
      reaching(RobustFit(self, again, members: chosen.members, dropped: chosen.dropped)))
    let others = try evaluated(other, like: choice)
    // Fewer coefficients may only be what the ladder did not climb.
    if others.members == fit.members, FoldOver(fit.solution.camera) == nil,
      let mine = fit.selection.heldOut,
      let ratio = others.selection.heldOut?.improvement(by: mine)?.ratio,
      ratio > CoefficientSelection.threshold
    {
      return (fit, robust)
    }
    return try withoutFoldOver(others, other)
  }

  /// A view that a flat board did not explain comes back where it is off by no more than so many times
  /// the spread of the others on a bent one: then its points are judged as theirs are.
  private static let readmission = 2.0

  /// The same fit with the views that only a flat board did not explain.
  func readmitting(_ robust: RobustFit) throws(CalibrationError) -> RobustFit {
    guard !keepsOutliers, !robust.dropped.isEmpty, isBent(robust.solution),
      let bend = robust.solution.bend
    else { return robust }
    let camera = robust.solution.camera
    let limit = Self.readmission * robust.solution.sigma
    var poses: [Int: Pose] = Dictionary(
      zip(robust.members, robust.solution.poses), uniquingKeysWith: { first, _ in first })
    // What can't be the image of any board was dropped before any was fitted.
    let misfits = Set(ViewScreening.misfits(views).map(\.view))
    for view in robust.dropped.keys.sorted() where !misfits.contains(view) {
      let freedom = 2 * views[view].usedCount - 6
      guard freedom > 0, let start = try? PoseEstimation.start(views[view], camera: camera),
        let found = try? PoseEstimation.refine(
          views[view], camera: camera, bend: bend, from: start),
        (found.squares / Double(freedom)).squareRoot() < limit
      else { continue }
      poses[view] = found.pose
    }
    guard poses.count > robust.members.count else { return robust }
    var start = robust.restart
    let members = poses.keys.sorted()
    start.views = members.map { views[$0] }
    start.poses = members.compactMap { poses[$0] }
    return try settled(
      reaching(
        RobustFit(
          self, start, members: members, dropped: robust.dropped.filter { poses[$0.key] == nil })))
  }

  /// A robust fit with its held-out error and what another fit has to say of the same coefficients.
  private func evaluated(_ robust: RobustFit, like other: LensFit) throws(CalibrationError)
    -> LensFit
  {
    var fit = other
    fit.selection = try evaluated(robust, held: other.selection.held)
    fit.selection.steps = other.selection.steps
    fit.members = robust.members
    fit.dropped = robust.dropped
    return fit
  }

  /// The fit with the prior on the bend that its solution asks for.
  private func settled(_ robust: RobustFit) throws(CalibrationError) -> RobustFit {
    var robust = robust
    // What the solution asks for depends on the prior that it was found with: once more is enough.
    for _ in 0..<2 {
      guard let settled = BendKnowledge.settled(robust.problem, robust.solution) else { break }
      robust.solution = try solved(settled, members: robust.members)
      robust.problem = settled.started(from: robust.solution)
    }
    return robust
  }

  /// Whether a bend is more than its own uncertainty.
  private func isBent(_ solution: Solution) -> Bool {
    guard let bend = solution.bend,
      let deviations = (try? ParameterCovariance(solution))?.bendDeviations
    else { return false }
    let certainty = bend.sagitta / deviations
    return max(abs(certainty.x), abs(certainty.y)) > 3
  }

  /// The fit to begin a choice with, on the points of another, whose bend counts as known: while coefficients
  /// are missing it must not move.
  private func known(_ robust: RobustFit, from first: RobustFit) -> RobustFit {
    var known = robust
    known.problem.shape?.isFree = false
    known.problem.camera = first.problem.camera
    known.problem.free = first.problem.free
    known.problem.priors = first.problem.priors
    for (index, member) in robust.members.enumerated() {
      if let place = first.members.firstIndex(of: member) {
        known.problem.poses[index] = first.problem.poses[place]
      }
    }
    return known
  }
}
