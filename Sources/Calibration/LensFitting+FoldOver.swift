import CalibrationSolver
import CameraModel

extension LensFitting {
  /// The same fit with fewer coefficients until the distortion no longer folds over inside the image.
  ///
  /// A fisheye's image circle may end inside the image, whatever the coefficients: there the map has
  /// no data outside, which the projection uncertainty says.
  func withoutFoldOver(
    _ fit: LensFit, _ robust: RobustFit
  ) throws(CalibrationError) -> (LensFit, RobustFit) {
    guard lensModel != .fisheye, var fold = FoldOver(fit.solution.camera) else {
      return (fit, robust)
    }
    let free = fit.selection.problem.free
    if let richer = richer(fit, robust) { return richer }
    for kept in simplerSets {
      let fewer = zip(free, constraints.flags(lensModel) { $0 < 4 || kept.contains($0) })
        .map { $0 && $1 }
      guard fewer != free else { continue }
      var problem = robust.restart
      problem.camera = constraints.applied(to: fit.solution.camera, keeping: fewer)
      problem.free = fewer
      // Without a part of its denominator the lens may have a pole among the points: then the next set is
      // tried. The last has no distortion, and can always be begun from.
      guard
        let again = try? RobustFit(self, problem, members: robust.members, dropped: robust.dropped)
      else { continue }
      if let still = FoldOver(again.solution.camera) {
        fold = still
        continue
      }
      var held = fit.selection.held
      for (index, name) in lensModel.parameterNames.enumerated() where free[index] && !fewer[index]
      {
        held[name] = "held at 0: with it \(fold.reason)"
      }
      let simpler = LensFit(
        selection: try evaluated(again, held: held), members: again.members, dropped: again.dropped,
        foldOverCoefficients: zip(lensModel.parameterNames, zip(free, fewer))
          .compactMap { $1.0 && !$1.1 ? $0 : nil })
      return (simpler, again)
    }
    return (fit, robust)
  }

  /// A rational lens with all its coefficients, where some were chosen that fold over, and all do not and fit
  /// left-out views better; nil otherwise.
  private func richer(_ fit: LensFit, _ robust: RobustFit) -> (LensFit, RobustFit)? {
    let all = flags(coefficientCount: lensModel.coefficientNames.count)
    guard lensModel == .rational, coefficientCount == nil, all != robust.problem.free else {
      return nil
    }
    var problem = robust.restart
    problem.free = all
    guard
      let again = try? RobustFit(
        self, problem, members: robust.members, dropped: robust.dropped),
      FoldOver(again.solution.camera) == nil, again.members == fit.members,
      let selection = try? evaluated(
        again,
        held: fit.selection.held.filter { entry in
          !zip(lensModel.parameterNames, all).contains { $0 == entry.key && $1 }
        }),
      let heldOut = selection.heldOut,
      let gain = fit.selection.heldOut?.improvement(by: heldOut), gain.mean > 0
    else { return nil }
    var richer = fit
    richer.selection = selection
    richer.selection.steps = fit.selection.steps
    richer.dropped = again.dropped
    return (richer, again)
  }

  /// The parameters of sets of coefficients from rich to simple, which are tried where the distortion folds over.
  ///
  /// First what lets a denominator share a factor with the numerator goes; one coefficient in each is a
  /// lens that grows out to the corners. Then the denominator and the higher terms go, then k2, then all.
  private var simplerSets: [Set<Int>] {
    let numerators = [5, 4, 1, 0].map { Set(4..<(4 + $0)) }
    guard lensModel == .rational else { return numerators }
    let names = lensModel.parameterNames
    let few = Set(names.indices.filter { ["k1", "p1", "p2", "k4"].contains(names[$0]) })
    return [Set(4..<11), Set(4..<10), few] + numerators
  }
}
