import CalibrationSolver
import CalibrationStore
import CameraModel

/// Whether another lens model explains the views better than the one that was asked for.
enum LensHint {
  /// A sentence for the user; nil where the model at hand is the right one, or nothing can be told.
  static func text(_ fit: LensFit, original: [ObservedView], jobs: Int) -> String? {
    let comparison = LensComparison(fit.selection, original: original, jobs: jobs)
    let mine = fit.solution.camera.lensModel
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
}
