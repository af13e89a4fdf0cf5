package import CameraModel
import Locking

/// What each lens model would give for the same points, and which is the right one.
package struct LensComparison: Sendable {
  /// What a lens model gave.
  package struct Candidate: Sendable {
    /// The lens model.
    package var lensModel: LensModel
    /// The number of parameters that the views alone determine.
    package var parameterCount: Int
    /// Its chosen coefficients, solution and held-out error.
    package var selection: CoefficientSelection
    /// Held-out error beside the best candidate's: paired per-view difference of Σr², positive where
    /// the best is better; nil for the best itself.
    package var behindBest: PairedDifference?
    /// Why it is neither the best nor chosen, whatever its held-out error; nil where it may be.
    ///
    /// Its distortion folds over inside the image while another candidate's does not; or it is a spline
    /// that gives up a part of the image for less than `splineGain`.
    package var exclusion: String?
  }

  /// All models that could be solved for, in the order of `simplicity`.
  package var candidates: [Candidate]
  /// The simplest model within one standard error of the best; nil where nothing can be held out.
  package var choice: LensModel?

  /// From simple to rich: what most lenses are first, then the model with a denominator, last the spline.
  package static let simplicity: [LensModel] = [.pinhole, .fisheye, .rational, .spline]

  /// A spline, which has no data where no corner was seen, must lower the held-out sigma of the best of the
  /// others by this share: what is less nobody would notice.
  static let splineGain = 0.01

  /// Solves the same views with each lens model.
  ///
  /// Left out are models that fold over where the model at hand does not, and those that came out as a
  /// simpler one (`simplerEquivalent`).
  ///
  /// - Parameters:
  ///   - selection: The model at hand, already solved; it is not solved again.
  ///   - models: The models to compare it with.
  package init(
    _ selection: CoefficientSelection, with models: [LensModel] = simplicity,
    original: [ObservedView]? = nil, jobs: Int = 1
  ) {
    let problem = selection.problem
    var all = [selection]
    for model in models where model != problem.camera.lensModel {
      var other = SolverProblem(
        camera: problem.camera.approximated(by: model, over: problem.views),
        views: problem.views, poses: selection.solution.poses, shape: problem.shape)
      other.varianceCorrection = problem.varianceCorrection
      if let solved = try? CoefficientSelection.choose(other, original: original, jobs: jobs),
        FoldOver(worsening: selection.solution.camera, solved.solution.camera) == nil,
        solved.simplerEquivalent == nil
      {
        all.append(solved)
      }
    }
    self.init(all)
  }

  /// Compares models that were solved for the same points already.
  ///
  /// - Parameter selections: One a model; the first is the one that folds are judged against.
  package init(_ selections: [CoefficientSelection]) {
    var exclusions = selections.map { selection in
      selections.first.flatMap {
        FoldOver(worsening: $0.solution.camera, selection.solution.camera)?.reason
      }
    }
    func sigma(_ selection: CoefficientSelection) -> Double {
      selection.heldOut?.sigma ?? .infinity
    }
    func isSpline(_ selection: CoefficientSelection) -> Bool {
      selection.problem.camera.lensModel == .spline
    }
    if let spline = selections.firstIndex(where: isSpline),
      let other = zip(selections, exclusions).filter({ !isSpline($0) && $1 == nil })
        .map({ sigma($0.0) }).min(),
      ((1 - Self.splineGain) * other..<other).contains(sigma(selections[spline]))
    {
      exclusions[spline] =
        exclusions[spline] ?? "gains less than 1 %, and has no data where no corner was seen"
    }
    let best = zip(selections, exclusions).filter { $0.heldOut != nil && $1 == nil }.map(\.0)
      .min { sigma($0) < sigma($1) }
    candidates = zip(selections, exclusions).map { selection, exclusion in
      let model = selection.problem.camera.lensModel
      let isBest = model == best?.problem.camera.lensModel
      let behind =
        if !isBest, let mine = selection.heldOut, let theirs = best?.heldOut {
          mine.improvement(by: theirs)
        } else { PairedDifference?.none }
      return Candidate(
        lensModel: model,
        parameterCount: selection.problem.unaidedCount,
        selection: selection, behindBest: behind, exclusion: exclusion)
    }
    .sorted { Self.rank($0.lensModel) < Self.rank($1.lensModel) }
    choice =
      candidates.first { candidate in
        guard candidate.selection.heldOut != nil, candidate.exclusion == nil else { return false }
        return (candidate.behindBest?.ratio ?? 0) <= 1
      }?.lensModel
  }
}

extension LensComparison {
  /// The models of `models` that lower RMS by more than a share when all their coefficients are free: the
  /// others are not worth a comparison.
  ///
  /// - Parameter share: Below 0 where so much more RMS will do.
  package static func gaining(
    _ models: [LensModel], over solution: Solution, views: [ObservedView], share: Double, jobs: Int
  ) -> [LensModel] {
    // A bend is left as it is found.
    let shape = solution.bend.map { BoardShape($0, isFree: false) }
    // Where the coefficients can't be told apart the search is long; what it gains by then it shows
    // in the first steps.
    let options = BundleAdjustment.Options(maximumIterations: 30, tolerance: 1e-3)
    return Parallel.map(models.count, jobs: jobs) { index -> LensModel? in
      let start = SolverProblem(
        camera: solution.camera.approximated(by: models[index], over: views), views: views,
        poses: solution.poses, shape: shape)
      guard let other = try? BundleAdjustment.solve(start, options: options),
        other.rms < (1 - share) * solution.rms
      else { return nil }
      return models[index]
    }.compactMap { $0 }
  }

  /// Whether one model comes before another in `simplicity`.
  package static func isSimpler(_ model: LensModel, than other: LensModel) -> Bool {
    rank(model) < rank(other)
  }

  private static func rank(_ model: LensModel) -> Int {
    simplicity.firstIndex(of: model) ?? simplicity.count
  }
}

extension CoefficientSelection {
  /// The simpler lens model that this one comes to without the coefficients that were held at 0; nil
  /// where it is more than another.
  package var simplerEquivalent: LensModel? {
    let names = problem.camera.lensModel.parameterNames
    let further = furtherCoefficients
    guard !further.isEmpty,
      names.indices.allSatisfy({ index in
        !further.contains(names[index])
          || (!problem.free[index] && problem.camera.parameterVector[index] == 0)
      })
    else { return nil }
    return problem.camera.lensModel == .rational ? .pinhole : .fisheye
  }

  /// The coefficients that make the lens model more than a simpler one; empty where there is none such.
  package var furtherCoefficients: [String] {
    switch problem.camera.lensModel {
    case .pinhole, .fisheye: []
    case .rational: ["k4", "k5", "k6"]
    case .spline: ["p1", "p2", "s1", "s2", "s3"]
    }
  }
}
