import CalibrationSolver
import CalibrationStore
import CameraModel

/// Whether another lens model explains the views better than the one that was asked for.
enum LensHint {
  /// A richer model is worth a closer look only if it lowers sigma, with all its coefficients free, by
  /// this share: held-out errors of models that differ by less cost much and tell nothing.
  static let notableGain = 0.02

  /// A sentence for the user; nil where the model at hand is the right one, or nothing can be told.
  static func text(_ fit: LensFit, original: [ObservedView], jobs: Int) -> String? {
    let mine = fit.solution.camera.lensModel
    let others = LensComparison.simplicity.filter { $0 != mine }
    let richer = LensComparison.gaining(
      others.filter { !isSimpler($0, than: mine) }, over: fit.solution, views: fit.views,
      share: notableGain, jobs: jobs)
    let rivals = others.filter { isSimpler($0, than: mine) || richer.contains($0) }
    guard !rivals.isEmpty else { return nil }
    let comparison = LensComparison(fit.selection, with: rivals, original: original, jobs: jobs)
    guard let choice = comparison.choice, choice != mine,
      let other = comparison.candidates.first(where: { $0.lensModel == choice }),
      let sigma = fit.selection.heldOut?.sigma, let otherSigma = other.selection.heldOut?.sigma
    else { return nil }
    let figures =
      "held-out sigma \(fixed(otherSigma, 3)) px against \(fixed(sigma, 3)) px with \(mine.rawValue)"
    // Less than a hundredth is no difference that anyone would notice.
    return otherSigma < 0.99 * sigma
      ? "A \(choice.rawValue) lens explains these views better (\(figures)): try --lens \(choice.rawValue)."
      : "A \(choice.rawValue) lens explains these views as well and is simpler (\(figures)): try --lens "
        + "\(choice.rawValue)."
  }

  private static func isSimpler(_ model: LensModel, than other: LensModel) -> Bool {
    let order = LensComparison.simplicity
    return (order.firstIndex(of: model) ?? 0) < (order.firstIndex(of: other) ?? 0)
  }
}
