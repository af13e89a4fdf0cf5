import CalibrationSolver
import CalibrationStore
import CameraModel

/// Whether another lens model explains the views better than the one that was asked for.
///
/// Models are compared on the same points; the figures that are told are those that each gives when asked for.
/// Of many views a part is enough to tell, and all figures are of that part, which is said.
struct LensHint {
  /// The other lens model.
  var lensModel: LensModel
  /// Whether it explains the views better; else as well, and is simpler.
  var isBetter: Bool
  /// The same as a sentence for the user, the cure first.
  var text: String

  /// A richer model is worth a closer look only if it lowers sigma, with all its coefficients free, by
  /// this share: held-out errors of models that differ by less cost much and tell nothing.
  static let notableGain = 0.02
  /// A simpler model is worth one only if it raises sigma by less than this share: with more it is as good
  /// in no set of views.
  static let bearableLoss = 0.25

  /// From so large a sigma on, pixels an axis, it is no noise that keeps a fit off its views.
  static let grossSigma = 1.0

  /// Of more views only so many are looked at, spread evenly over the set.
  static let mostViews = 60

  /// - Parameters:
  ///   - fit: The fit with the lens model that was asked for.
  ///   - fitting: What made it.
  ///   - sample: The views that its start rests on.
  ///   - isCancelled: Whether to stop: asked between two pieces of work.
  /// - Returns: nil where the model at hand is the right one, or nothing can be told.
  init?(
    _ fit: LensFit, _ fitting: LensFitting, sample: [Int],
    isCancelled: () -> Bool = { false }
  ) {
    var trial = Trial(fitting: fitting, sample: sample)
    var fit = fit
    if fitting.views.count > Self.mostViews {
      let taken = (0..<Self.mostViews).map { $0 * fitting.views.count / Self.mostViews }
      guard let some = fit.part(taken, fitting) else { return nil }
      fit = some
      trial = trial.part(taken)
    }
    guard let sigma = fit.selection.heldOut?.sigma,
      let hint = Self.afresh(fit, sigma, trial, isCancelled)
        ?? Self.compared(fit, sigma, trial, isCancelled)
    else { return nil }
    self = hint
  }

  init(lensModel: LensModel, isBetter: Bool, text: String) {
    (self.lensModel, self.isBetter, self.text) = (lensModel, isBetter, text)
  }

  private init(_ lensModel: LensModel, isBetter: Bool, _ figures: String, _ trial: Trial) {
    self.lensModel = lensModel
    self.isBetter = isBetter
    let options =
      "--lens \(lensModel.rawValue)"
      + (trial.fitting.coefficientCount == nil ? "" : " without --coefficients")
    let basis = figures + trial.extent
    text =
      isBetter
      ? "Use \(options): \(basis)."
      : "\(options) is simpler and explains these views as well: \(basis)."
  }

  /// What another model would give.
  private struct Trial {
    var fitting: LensFitting
    var sample: [Int]
    /// What part of the views this is, in words; empty where it is all of them.
    var extent = ""

    /// The same with a part of the views.
    func part(_ taken: [Int]) -> Trial {
      var part = self
      part.fitting.views = taken.map { fitting.views[$0] }
      part.fitting.names = taken.compactMap { view in
        fitting.names.indices.contains(view) ? fitting.names[view] : nil
      }
      let count = min(StartValues.sampleSize, taken.count)
      part.sample = (0..<count).map { $0 * taken.count / count }
      part.extent = " (\(taken.count) of the \(fitting.views.count) views)"
      return part
    }

    /// The fit that `--lens` with this model gives; nil where there is none.
    func fit(_ model: LensModel, _ isCancelled: () -> Bool) -> LensFit? {
      var other = fitting
      other.lensModel = model
      other.coefficientCount = nil
      // All of this is judging the model at hand.
      other.stages = StageClock()
      return (try? SettledFit(other, sample: sample, isCancelled: isCancelled))?.fit
    }
  }

  /// Where a fit is grossly off its views and another model is not.
  ///
  /// What comes out with the wrong model is no start for the right one, and the points that were left
  /// out for it may be the best: the other models are fitted to all views from starts of their own.
  private static func afresh(
    _ fit: LensFit, _ sigma: Double, _ trial: Trial, _ isCancelled: () -> Bool
  ) -> LensHint? {
    guard fit.solution.sigma > grossSigma else { return nil }
    let mine = fit.solution.camera.lensModel
    let others = [LensModel.pinhole, .fisheye].filter { $0 != mine }.compactMap { model in
      trial.fit(model, isCancelled)?.selection.heldOut.map { (model: model, sigma: $0.sigma) }
    }
    // Half: the views that take part differ, so that less tells nothing.
    guard let best = others.min(by: { $0.sigma < $1.sigma }), best.sigma < 0.5 * sigma else {
      return nil
    }
    return LensHint(best.model, isBetter: true, figures(best.sigma, mine, sigma), trial)
  }

  /// What models show that are compared on the same points.
  private static func compared(
    _ fit: LensFit, _ sigma: Double, _ trial: Trial, _ isCancelled: () -> Bool
  ) -> LensHint? {
    let mine = fit.solution.camera.lensModel
    // A spline extends the fisheye lens: it is of no use to others before that one is.
    let others = LensComparison.simplicity.filter {
      $0 != mine && ($0 != .spline || mine == .fisheye)
    }
    let jobs = trial.fitting.jobs
    let rivals = [true, false].flatMap { isSimpler in
      LensComparison.gaining(
        others.filter { LensComparison.isSimpler($0, than: mine) == isSimpler }, over: fit.solution,
        views: fit.views, share: isSimpler ? -bearableLoss : notableGain, jobs: jobs)
    }
    guard !rivals.isEmpty else { return nil }
    let comparison = LensComparison(
      fit.selection, with: rivals,
      original: trial.fitting.keepsOutliers ? nil : fit.members.map { trial.fitting.views[$0] },
      jobs: jobs)
    guard let choice = comparison.choice, choice != mine,
      let other = comparison.candidates.first(where: { $0.lensModel == choice }),
      let same = other.selection.heldOut?.sigma,
      let own = trial.fit(choice, isCancelled)?.selection.heldOut?.sigma
    else { return nil }
    // Less than a hundredth is no difference that anyone would notice.
    let (notable, alike) = (0.99 * sigma, 1.01 * sigma)
    let isSimpler = LensComparison.isSimpler(choice, than: mine)
    guard isSimpler || same < notable else { return nil }
    let isBetter = own < notable || same < notable
    // What it keeps itself may be more, or other points.
    let isPlain = own < notable || (own <= alike && !isBetter)
    return LensHint(
      choice, isBetter: isBetter,
      isPlain
        ? figures(own, mine, sigma)
        : "\(figures(same, mine, sigma)) on the same points; on those that it keeps itself "
          + "\(fixed(own, 3)) px", trial)
  }

  private static func figures(_ sigma: Double, _ mine: LensModel, _ mySigma: Double) -> String {
    "held-out sigma \(fixed(sigma, 3)) px against \(fixed(mySigma, 3)) px with \(mine.rawValue)"
  }
}

extension LensFit {
  /// The same coefficients on some of the views, solved for anew; nil where these determine no camera.
  ///
  /// - Parameters:
  ///   - taken: The views, as indices into `fitting.views`; the result's are indices into `taken`.
  ///   - fitting: What made the fit.
  fileprivate func part(_ taken: [Int], _ fitting: LensFitting) -> LensFit? {
    let places = Dictionary(
      members.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let kept = taken.indices.compactMap { index in places[taken[index]].map { (index, $0) } }
    var problem = selection.problem
    problem.views = kept.map { views[$0.1] }
    problem.poses = kept.map { solution.poses[$0.1] }
    guard let solved = try? BundleAdjustment.solve(problem, jobs: fitting.jobs),
      let selection = try? CoefficientSelection.fixed(
        problem, solution: solved, held: selection.held,
        original: fitting.keepsOutliers ? nil : kept.map { fitting.views[taken[$0.0]] },
        jobs: fitting.jobs)
    else { return nil }
    return LensFit(selection: selection, members: kept.map(\.0), dropped: [:])
  }
}
