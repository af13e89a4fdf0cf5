package import Boards
package import CalibrationSolver
package import CameraModel

/// A calibration that grows view by view while a camera is watched.
///
/// It serves guidance: how well the camera is known so far, and what the next view would do. The result
/// that is stored comes from `CalibrationSession` and all that it checks; here the lens has few
/// coefficients and, until the views speak for themselves, a weak prior.
///
/// A view that is added costs a fraction of a solution (`GrowingRejection`). All views are solved for as a
/// whole only
/// - while they are `restarts` or fewer, or do not determine the focal length and the centre by themselves:
///   with so few the search may have gone to a wrong place, and no step from there is a small one;
/// - where a view does not fit the others, as then it may be another one that is wrong (unless nothing is to be
///   left out);
/// - each time their number has doubled, so that what was left out is judged without regard to the past;
/// - where the equations become singular, or a view is outside what the camera sees.
///
/// Where only the linear picture has been left behind, or points change sides, that is no reason:
/// `GrowingSolution` looks at all points again, which is one pass and not a solution.
package struct QuickFit: Sendable {
  /// The board's points.
  let boardPoints: [SIMD3<Double>]
  /// The size of the images.
  let resolution: Resolution
  /// Pinhole or fisheye, or both where the lens model is yet to be chosen.
  ///
  /// While views are few the one that fits them better is followed. What richer models add is of no use to
  /// guidance.
  let lensModels: [LensModel]
  /// The most parameters that are estimated.
  let mostFree: Int
  /// What is not estimated, or not from the views alone.
  let constraints: ParameterConstraints
  /// Whether points and views that do not fit take part all the same (`--no-outliers`).
  private let keepsOutliers: Bool
  /// The board, perhaps bent; nil where it is taken for flat.
  ///
  /// Until the views determine the camera they say nothing of a bend, and it is taken for flat all the same;
  /// from then on the bend is held by its prior until they tell it, see `BendKnowledge`.
  private let shape: BoardShape?

  /// The views so far.
  private(set) var views: [ObservedView] = []
  /// What was last solved; nil before the first view.
  private(set) var problem: SolverProblem?
  /// Its minimum.
  private(set) var solution: Solution?
  /// The level that 90 % of the image stays within, pixels; nil while the views alone don't determine
  /// the camera: it would be as absurd as the focal length is unknown.
  package private(set) var p90: Double?
  /// What views are added to; nil until the views alone determine the camera.
  private(set) var rejection: GrowingRejection?
  /// How often all views were solved for as a whole.
  private(set) var wholeCount = 0

  /// Until this many views the search starts anew from several focal lengths: with so few it may have
  /// gone to a wrong one.
  static let restarts = 5
  /// From this many views on they are solved for without priors, which then have no share in `p90`.
  package static let fewestAlone = 4
  /// The views determine focal length and centre if they know them to this share of the weak prior's
  /// deviation: it would then be a 25th of what is known.
  private static let determinedShare = 0.2

  package init(board: ChessboardGeometry, resolution: Resolution, options: CalibrationOptions) {
    boardPoints = board.cornerPoints
    self.resolution = resolution
    lensModels =
      switch options.lensModel {
      case .fisheye, .spline: [.fisheye]
      case .pinhole, .rational: [.pinhole]
      case nil: [.pinhole, .fisheye]
      }
    mostFree = 4 + (options.coefficientCount ?? 8)
    constraints = options.constraints
    keepsOutliers = options.keepsOutliers
    shape = options.takesBoardForFlat ? nil : BendKnowledge.shape(board)
  }

  /// Whether a view has its corners where some board could show them; if so, it is added.
  package mutating func add(_ view: ObservedView) -> Bool {
    var grown = self
    grown.views.append(view)
    if !grown.grow(view) {
      guard grown.solveAgain() || grown.solveFirst() else { return false }
      grown.wholeCount += 1
    }
    self = grown
    return true
  }
}

extension QuickFit {
  /// One view more; false where all have to be solved for as a whole.
  private mutating func grow(_ view: ObservedView) -> Bool {
    guard views.count > Self.restarts, var rejection, (try? rejection.add(view)) == .some(nil),
      (try? settle(&rejection)) != nil
    else { return false }
    take(rejection)
    return true
  }

  /// All views from where the camera was last; false while it is not determined.
  private mutating func solveAgain() -> Bool {
    guard views.count > Self.restarts, let last = rejection?.growing.problem,
      let pose = try? PoseEstimation.start(views[views.count - 1], camera: last.camera)
    else { return false }
    var problem = last
    problem.views = views
    problem.poses.append(pose)
    return solveAlone(problem)
  }

  /// The views without weak priors and without what does not fit the others (or with it, where that is asked for), as what further views are
  /// added to; false where they don't determine the camera.
  private mutating func solveAlone(_ problem: SolverProblem) -> Bool {
    let outcome =
      keepsOutliers
      ? try? OutlierRejection(leavingOutNothing: problem) : try? OutlierRejection(problem)
    guard let outcome,
      var rejection = try? GrowingRejection(
        outcome, of: views, leavesOutNothing: keepsOutliers),
      (try? settle(&rejection)) != nil,
      let covariance = try? ParameterCovariance(rejection.growing.solution),
      isDetermined(rejection.growing.problem.camera, covariance)
    else { return false }
    take(rejection)
    return true
  }

  /// Gives the board's bend the prior that the views ask for, or none.
  private func settle(_ rejection: inout GrowingRejection) throws {
    // What the solution asks for depends on the prior that it was found with: once more is enough.
    for _ in 0..<2 {
      let growing = rejection.growing
      guard let settled = BendKnowledge.settled(growing.problem, growing.solution) else { return }
      try rejection.hold(bend: settled.shape?.prior)
    }
  }

  private mutating func take(_ rejection: GrowingRejection) {
    let solution = rejection.growing.solution
    self.rejection = rejection
    self.solution = solution
    problem = rejection.growing.problem
    p90 = (try? ParameterCovariance(solution)).flatMap {
      ProjectionUncertainty(solution, covariance: $0).p90
    }
  }

  /// Whether the views know the focal length and the centre far better than the weak prior does.
  private func isDetermined(
    _ camera: CameraParameters, _ covariance: ParameterCovariance
  ) -> Bool {
    let priors = weakPriors(around: camera)
    let deviations = covariance.standardDeviations
    return camera.lensModel.parameterNames.prefix(4).enumerated().allSatisfy { index, name in
      guard let deviation = deviations[name], let prior = priors[index] else { return true }
      return deviation < Self.determinedShare * prior.deviation
    }
  }
}

extension QuickFit {
  /// The first views, with weak priors.
  private mutating func solveFirst() -> Bool {
    let starts =
      views.count <= Self.restarts
      ? startCameras + [solution?.camera].compactMap { $0 } : [solution?.camera].compactMap { $0 }
    var best: (problem: SolverProblem, solution: Solution)?
    for camera in starts {
      guard let (problem, solution) = solve(from: camera) else { continue }
      if solution.sigma < best?.solution.sigma ?? .infinity { best = (problem, solution) }
    }
    guard let best else { return false }
    problem = best.problem
    solution = best.solution
    (rejection, p90) = (nil, nil)
    guard views.count >= Self.fewestAlone else { return true }
    var alone = best.problem
    alone.priors = constraints.priors(alone.camera.lensModel)
    alone.shape = shape
    _ = solveAlone(alone)
    return true
  }
}
