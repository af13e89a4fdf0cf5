import CalibrationSolver
import CameraModel

extension LensFitting {
  /// The flags with which points and views are judged first: the smallest set of coefficients, or
  /// those that were asked for.
  var firstFree: [Bool] { flags(coefficientCount: coefficientCount ?? smallestCount) }

  /// The number of coefficients that nearly every lens needs, and few views support.
  var smallestCount: Int { lensModel == .fisheye ? 2 : 4 }

  /// The parameters that so many coefficients leave free.
  func flags(coefficientCount count: Int) -> [Bool] {
    constraints.flags(lensModel) { $0 < 4 + count }
  }

  /// The coefficients that earn their place, and the points judged with them.
  ///
  /// - Parameters:
  ///   - climbed: The coefficients that could not be had, with the reasons.
  ///   - isStart: Whether a bend is estimated next: then the held-out error of what was chosen is of no use.
  func chosen(
    _ first: RobustFit, held climbed: [String: String], isStart: Bool
  ) throws(CalibrationError) -> (LensFit, RobustFit) {
    var robust = first
    var selection = try stages.measure(.evaluate) { () throws(CalibrationError) in
      try choose(robust)
    }
    selection.held.merge(climbed) { _, climbed in climbed }
    if selection.problem.free != robust.problem.free {
      // Points were judged with fewer coefficients than were chosen: judge them again.
      var again = robust.restart
      again.camera = selection.solution.camera.reaching(
        robust.problem.views, poses: selection.solution.poses)
      again.free = selection.problem.free
      again.priors = selection.problem.priors
      robust = try reaching(
        RobustFit(self, again, members: robust.members, dropped: robust.dropped))
      if isStart, lensModel == .fisheye || FoldOver(robust.solution.camera) == nil {
        (selection.problem, selection.solution) = (robust.problem, robust.solution)
        selection.heldOut = nil
      } else {
        let (held, steps) = (selection.held, selection.steps)
        selection = try evaluated(robust, held: held)
        selection.steps = steps
      }
    }
    let fit = LensFit(selection: selection, members: robust.members, dropped: robust.dropped)
    return try withoutFoldOver(fit, robust)
  }

  private func choose(_ robust: RobustFit) throws(CalibrationError) -> CoefficientSelection {
    guard coefficientCount == nil else {
      let names = zip(lensModel.parameterNames, firstFree).filter { !$1 }.map(\.0)
      return try evaluated(
        robust,
        held: Dictionary(
          names.map { ($0, "held at 0: --coefficients") }, uniquingKeysWith: { first, _ in first }))
    }
    var problem = robust.problem
    problem.free = flags(coefficientCount: lensModel.coefficientNames.count)
    problem.priors = constraints.priors(lensModel)
    do {
      return try CoefficientSelection.choose(
        problem, original: keepsOutliers ? nil : robust.original, jobs: jobs)
    } catch {
      throw undetermined(error, robust.members)
    }
  }

  /// The coefficients of a fit as they are, with its held-out error.
  func evaluated(
    _ robust: RobustFit, held: [String: String]
  ) throws(CalibrationError) -> CoefficientSelection {
    if var known = robust.evaluation {
      known.held = held
      return known
    }
    do {
      return try stages.measure(.evaluate) { () throws(SolverError) in
        try CoefficientSelection.fixed(
          robust.problem, solution: robust.solution, held: held,
          original: keepsOutliers ? nil : robust.original,
          jobs: jobs)
      }
    } catch {
      throw undetermined(error, robust.members)
    }
  }
}
