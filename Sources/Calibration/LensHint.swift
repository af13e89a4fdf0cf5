import CalibrationSolver
import CalibrationStore
import CameraModel

/// Whether another lens model explains the views better than the one that was asked for.
enum LensHint {
  /// A richer model is worth a closer look only if it lowers sigma, with all its coefficients free, by
  /// this share: held-out errors of models that differ by less cost much and tell nothing.
  static let notableGain = 0.02
  /// A simpler model is worth one only if it raises sigma by less than this share: with more it is as good
  /// in no set of views.
  static let bearableLoss = 0.25

  /// From so large a sigma on, pixels an axis, it is no noise that keeps a fit off its views.
  static let grossSigma = 1.0

  /// A sentence where a fit is grossly off its views and another model is not.
  ///
  /// What comes out with the wrong model is no start for the right one, and the points that were left
  /// out for it may be the best: the other models are fitted to all views from starts of their own.
  ///
  /// - Parameters:
  ///   - fitting: What made the fit.
  ///   - sample: The views that its start rests on.
  static func afresh(_ fit: LensFit, _ fitting: LensFitting, sample: [Int]) -> String? {
    guard fit.solution.sigma > grossSigma, let sigma = fit.selection.heldOut?.sigma else {
      return nil
    }
    let mine = fit.solution.camera.lensModel
    let others = [LensModel.pinhole, .fisheye].filter { $0 != mine }.compactMap { model in
      var other = fitting
      other.lensModel = model
      other.coefficientCount = nil
      let sigma = (try? other.fit(sample: sample))?.selection.heldOut?.sigma
      return sigma.map { (model: model, sigma: $0) }
    }
    // Half: the views that take part differ, so that less tells nothing.
    guard let best = others.min(by: { $0.sigma < $1.sigma }), best.sigma < 0.5 * sigma else {
      return nil
    }
    return better(best.model, best.sigma, than: mine, sigma)
  }

  private static func better(
    _ model: LensModel, _ sigma: Double, than mine: LensModel, _ mySigma: Double
  ) -> String {
    "A \(model.rawValue) lens explains these views better (held-out sigma \(fixed(sigma, 3)) px against "
      + "\(fixed(mySigma, 3)) px with \(mine.rawValue)): try --lens \(model.rawValue)."
  }

  /// A sentence for the user; nil where the model at hand is the right one, or nothing can be told.
  static func text(_ fit: LensFit, original: [ObservedView], jobs: Int) -> String? {
    let mine = fit.solution.camera.lensModel
    // A spline extends the fisheye lens: it is of no use to others before that one is.
    let others = LensComparison.simplicity.filter {
      $0 != mine && ($0 != .spline || mine == .fisheye)
    }
    let rivals = [true, false].flatMap { isSimpler in
      LensComparison.gaining(
        others.filter { LensComparison.isSimpler($0, than: mine) == isSimpler }, over: fit.solution,
        views: fit.views, share: isSimpler ? -bearableLoss : notableGain, jobs: jobs)
    }
    guard !rivals.isEmpty else { return nil }
    let comparison = LensComparison(fit.selection, with: rivals, original: original, jobs: jobs)
    guard let choice = comparison.choice, choice != mine,
      let other = comparison.candidates.first(where: { $0.lensModel == choice }),
      let sigma = fit.selection.heldOut?.sigma, let otherSigma = other.selection.heldOut?.sigma
    else { return nil }
    // Less than a hundredth is no difference that anyone would notice.
    return otherSigma < 0.99 * sigma
      ? better(choice, otherSigma, than: mine, sigma)
      : "A \(choice.rawValue) lens explains these views as well and is simpler (held-out sigma "
        + "\(fixed(otherSigma, 3)) px against \(fixed(sigma, 3)) px with \(mine.rawValue)): try --lens "
        + "\(choice.rawValue)."
  }
}
