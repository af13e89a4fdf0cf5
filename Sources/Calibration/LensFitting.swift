import CalibrationSolver
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
  /// What finds the camera to begin with.
  var startSolver = StartSolver.own
  /// Whether points and views that do not fit take part all the same.
  var keepsOutliers = false
  /// What is not estimated, or not from the views alone.
  var constraints = ParameterConstraints()
  /// The shape of the board; nil where it is taken for flat.
  var shape: BoardShape?

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
    var (fit, robust) = try chosen(first, held: climb.held)
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

  /// The coefficients that earn their place, and the points judged with them.
  ///
  /// - Parameter climbed: The coefficients that could not be had, with the reasons.
  func chosen(
    _ first: RobustFit, held climbed: [String: String]
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
      let held = selection.held
      let steps = selection.steps
      selection = try evaluated(robust, held: held)
      selection.steps = steps
    }
    let fit = LensFit(selection: selection, members: robust.members, dropped: robust.dropped)
    return try withoutFoldOver(fit, robust)
  }

  func solved(_ problem: SolverProblem) throws(CalibrationError) -> Solution {
    do {
      return try BundleAdjustment.solve(problem, jobs: jobs)
    } catch {
      throw undetermined(error)
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
  /// The flags with which points and views are judged first: the smallest set of coefficients, or
  /// those that were asked for.
  private var firstFree: [Bool] { flags(coefficientCount: coefficientCount ?? smallestCount) }

  /// The number of coefficients that nearly every lens needs, and few views support.
  var smallestCount: Int { lensModel == .fisheye ? 2 : 4 }

  func flags(coefficientCount count: Int) -> [Bool] {
    constraints.flags(lensModel) { $0 < 4 + count }
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
      throw undetermined(error)
    }
  }

  func evaluated(
    _ robust: RobustFit, held: [String: String]
  ) throws(CalibrationError) -> CoefficientSelection {
    do {
      return try stages.measure(.evaluate) { () throws(SolverError) in
        try CoefficientSelection.fixed(
          robust.problem, solution: robust.solution, held: held,
          original: keepsOutliers ? nil : robust.original,
          jobs: jobs)
      }
    } catch {
      throw undetermined(error)
    }
  }

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

  private func startValues(sample: [Int]) throws(CalibrationError) -> StartValues {
    do {
      return try StartValues(
        views, sample: sample, resolution: resolution, lensModel: lensModel, free: firstFree,
        solver: startSolver, jobs: jobs)
    } catch {
      if let error = error as? SolverError, error.code == .pointNotVisible, !lensModel.isAngular {
        throw undetermined(error)
      }
      // A view has a name, which the solver does not know.
      let isOfView = (error as? SolverError)?.subject.hasPrefix("view ") ?? false
      let reason = isOfView ? "" : " (\(error))"
      throw CalibrationError(
        .unsolvable,
        "No \(lensModel.rawValue) lens explains these \(views.count) views\(reason). Check that all "
          + "come from one camera with fixed focus and zoom, that --board is right, and that the board "
          + "is tilted in some views." + constraints.doubt)
    }
  }

  /// The error of least squares that have no answer, with what to do.
  func undetermined(_ error: SolverError) -> CalibrationError {
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
      startSolver: options.startSolver, keepsOutliers: options.keepsOutliers,
      constraints: options.constraints,
      shape: options.takesBoardForFlat ? nil : BendKnowledge.shape(options.board))
  }
}
