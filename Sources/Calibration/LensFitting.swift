import CalibrationSolver
import CalibrationStore
import CameraModel

/// Fits a lens model to views: start values, least squares without the points and views that do not
/// belong, and the choice of coefficients.
struct LensFitting: Sendable {
  /// The views that were selected.
  var views: [ObservedView]
  /// The size of the images.
  var resolution: Resolution
  /// The lens model.
  var lensModel: LensModel
  /// How many distortion coefficients are estimated; nil: those that earn their place.
  var coefficientCount: Int?
  /// The number of threads.
  var jobs: Int
  /// Where the time goes.
  var stages = StageClock()
  /// Whether points and views that do not fit take part all the same.
  var keepsOutliers = false
  /// What is not estimated, or not from the views alone.
  var constraints = ParameterConstraints()
  /// The shape of the board; nil where it is taken for flat.
  var shape: BoardShape?
  /// What each view is called; empty where nobody will read of them.
  var names: [String] = []

  /// Fewer views than this determine nothing.
  static let fewestViews = 3

  /// Fits the lens model.
  ///
  /// - Parameter sample: The views that the start rests on, indices into `views`.
  /// - Throws: `CalibrationError` where the views determine no camera.
  func fit(sample: [Int]) throws(CalibrationError) -> LensFit {
    var dropped = Dictionary(
      keepsOutliers ? [] : ViewScreening.misfits(views).map { ($0.view, $0.reason) },
      uniquingKeysWith: { first, _ in first })
    let start = try startValues(sample: sample.filter { dropped[$0] == nil })
    try constraints.checkCoefficients(start.camera)
    // The start may have coefficients that are not to be estimated; what is held is held at 0.
    let camera = constraints.applied(to: start.camera, keeping: firstFree)
    var poses = start.poses
    if constraints.movesStart {
      for index in views.indices where dropped[index] == nil {
        poses[index] = (try? PoseEstimation.start(views[index], camera: camera)) ?? poses[index]
      }
    }
    var members: [Int] = []
    for index in views.indices where dropped[index] == nil {
      if poses[index] == nil {
        dropped[index] = "no pose of the board explains its corners"
      } else {
        members.append(index)
      }
    }
    let problem = problem(camera, members, poses: members.compactMap { poses[$0] })
    return try fit(problem, members: members, dropped: dropped)
  }

  /// Fits again without some of a fit's views.
  ///
  /// - Parameter reasons: Why each goes, by index into `views`.
  func fit(_ fit: LensFit, without reasons: [Int: String]) throws(CalibrationError) -> LensFit {
    let kept = fit.members.indices.filter { reasons[fit.members[$0]] == nil }
    let members = kept.map { fit.members[$0] }
    let problem = problem(
      constraints.applied(to: fit.solution.camera, keeping: firstFree), members,
      poses: kept.map { fit.solution.poses[$0] })
    return try self.fit(
      problem, members: members, dropped: fit.dropped.merging(reasons) { first, _ in first })
  }

  /// The problem that points and views are judged by.
  private func problem(
    _ camera: CameraParameters, _ members: [Int], poses: [Pose]
  ) -> SolverProblem {
    var problem = SolverProblem(
      camera: camera, views: members.map { views[$0] }, poses: poses, free: firstFree,
      priors: constraints.priors(lensModel), shape: shape)
    problem.hasSquarePixels = constraints.hasSquarePixels
    return problem
  }

  private func fit(
    _ problem: SolverProblem, members: [Int], dropped: [Int: String]
  ) throws(CalibrationError) -> LensFit {
    // As long as coefficients are missing, a bend would take the lens's part upon itself: coefficients are
    // chosen on a flat board, and with them it is seen whether the board is bent.
    var flat = problem
    flat.shape = nil
    let climb = try CoefficientClimb(self, flat, members: members, dropped: dropped)
    let first = try reaching(climb.robust)
    var (fit, robust) = try chosen(
      first, held: climb.held, isStart: problem.shape != nil)
    if let shape = problem.shape {
      (fit, robust) = try bent(fit, robust, shape, first: first, held: climb.held)
    }
    fit.selection.held.merge(constraints.reasons(fit.solution.camera)) { _, reason in reason }
    if lensModel == .spline {
      fit.selection.held["thetaMax"] =
        "set to the largest angle to the axis at which a corner was seen, and 2 % more; no data beyond it"
    }
    return fit
  }

  /// - Parameter members: The problem's views, indices into `views`.
  func solved(
    _ problem: SolverProblem, members: [Int]
  ) throws(CalibrationError) -> Solution {
    do {
      return try BundleAdjustment.solve(problem, jobs: jobs)
    } catch {
      throw undetermined(error, members)
    }
  }

  /// The same fit, solved anew where a spline's limit is no longer where its outermost point is.
  func reaching(_ robust: RobustFit) throws(CalibrationError) -> RobustFit {
    var robust = robust
    // Points move by little when the knots do: twice is enough, and what is left is inside the margin.
    for _ in 0..<2 {
      let (camera, poses) = (robust.solution.camera, robust.solution.poses)
      guard !camera.isReaching(robust.problem.views, poses: poses) else { break }
      var again = robust.restart
      again.camera = camera.reaching(robust.problem.views, poses: poses)
      robust = try RobustFit(self, again, members: robust.members, dropped: robust.dropped)
    }
    return robust
  }
}

extension LensFitting {
  private func startValues(sample: [Int]) throws(CalibrationError) -> StartValues {
    do throws(SolverError) {
      return try StartValues(
        views, sample: sample, resolution: resolution, lensModel: lensModel, free: firstFree,
        jobs: jobs)
    } catch {
      if error.code == .pointNotVisible, !lensModel.isAngular {
        throw undetermined(error, Array(views.indices))
      }
      let reason = " (\(named(error, Array(views.indices))))"
      throw CalibrationError(
        .unsolvable,
        "No \(lensModel.rawValue) lens explains these \(views.count) views\(reason). Check that all "
          + "come from one camera with fixed focus and zoom, that --board is right, and that the board "
          + "is tilted in some views." + constraints.doubt)
    }
  }

  /// What a view is called.
  func name(_ view: Int) -> String {
    names.indices.contains(view) ? names[view].printable : "image \(view + 1)"
  }

  /// An error of the solver with the name of the view that it is about.
  ///
  /// - Parameter members: The solver's views, indices into `views`.
  private func named(_ error: SolverError, _ members: [Int]) -> SolverError {
    var error = error
    if let view = error.view, members.indices.contains(view) { error.subject = name(members[view]) }
    return error
  }

  /// The error of least squares that have no answer, with what to do.
  ///
  /// - Parameter members: The views that were solved for, indices into `views`.
  func undetermined(_ error: SolverError, _ members: [Int]) -> CalibrationError {
    let error = named(error, members)
    if error.code == .pointNotVisible, !lensModel.isAngular {
      return CalibrationError(
        .unsolvable,
        "No \(lensModel.rawValue) lens shows all corners of these \(views.count) views (in \(error.subject) "
          + "one lies 90° or more from its axis, or beyond a pole). Try --lens fisheye, which is for lenses "
          + "as wide as this.\(constraints.doubt)")
    }
    let isForced = coefficientCount.map { $0 > 4 } ?? false
    return CalibrationError(
      .unsolvable,
      "These \(views.count) views determine no camera (\(error)). "
        + (isForced ? "Ask for fewer --coefficients, or take" : "Take")
        + " more views, with the board tilted and at several places in the image."
        + constraints.doubt)
  }
}

extension LensFitting {
  /// A fit as the options ask for it.
  init(
    _ views: [ObservedView], resolution: Resolution, _ options: CalibrationOptions,
    stages: StageClock = StageClock()
  ) {
    self.init(
      views: views, resolution: resolution, lensModel: options.lensModel ?? .pinhole,
      coefficientCount: options.coefficientCount, jobs: options.jobs, stages: stages,
      keepsOutliers: options.keepsOutliers, constraints: options.constraints,
      shape: options.flatOption == nil ? BendKnowledge.shape(options.board) : nil)
  }
}
