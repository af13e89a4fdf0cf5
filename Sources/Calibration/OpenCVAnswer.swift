import CalibrationSolver
import CalibrationStore
import CameraModel
import OpenCV

/// OpenCV's answer in place of our own: the reference for our minimum.
///
/// OpenCV is given the views, the points and the coefficients that our fit settled on, and begins with start
/// values of its own; where those lead it to nothing, or to a higher minimum than ours, also with our
/// camera, but not our poses. Its camera and poses are then taken as they are: not a step is made from
/// them, and what is said of them is reckoned there.
struct OpenCVAnswer {
  /// OpenCV's camera and poses, as a fit.
  var fit: LensFit
  /// How far it is from ours, for the user.
  var notices: [String] = []

  /// Until steps change nothing any more: OpenCV's own bound is far above our tolerance.
  private static let (iterations, epsilon) = (200, 1e-12)
  /// OpenCV's points have single precision, so that this is the same minimum: the share of the RMS.
  private static let rounding = 1e-6

  /// - Parameters:
  ///   - own: Our fit, to a flat board.
  ///   - fitting: What made it.
  ///   - sample: The views that a start rests on, indices into `fitting.views`.
  /// - Throws: `CalibrationError` where OpenCV gives none.
  init(_ own: LensFit, _ fitting: LensFitting, sample: [Int]) throws(CalibrationError) {
    let problem = own.selection.problem
    guard problem.priors.isEmpty else {
      throw CalibrationError(
        .unsolvable,
        "These views tell the lens's coefficients only together with a prior on them, and OpenCV's solver "
          + "knows none. Say how many to estimate with --coefficients.")
    }
    // Below 4 points OpenCV takes no view; ours has none that few.
    let views = problem.views.map { view in
      let used = view.pixels.indices.filter { view.isUsed[$0] }
      return BoardView(
        boardPoints: used.map { view.boardPoints[$0] }, pixels: used.map { view.pixels[$0] })
    }
    let (best, beginning) = try Self.best(
      views, own, fitting, sample: sample.compactMap { own.members.firstIndex(of: $0) })
    var fit = own
    fit.members = best.usedViews.map { own.members[$0] }
    for view in best.leftOut {
      fit.dropped[own.members[view.index]] = "OpenCV leaves it out: \(view.reason)"
    }
    guard fit.members.count >= LensFitting.fewestViews else {
      throw CalibrationError(
        .unsolvable, "OpenCV takes only \(fit.members.count) of \(views.count) views.")
    }
    var there = problem
    there.camera = best.camera
    there.views = best.usedViews.map { problem.views[$0] }
    there.poses = best.poses
    do {
      let solution = try BundleAdjustment.solve(
        there, options: .init(jobs: fitting.jobs, maximumIterations: 0))
      fit.selection = try CoefficientSelection.fixed(
        there, solution: solution, held: own.selection.held,
        original: fitting.keepsOutliers ? nil : fit.members.map { fitting.views[$0] },
        jobs: fitting.jobs)
      fit.selection.steps = own.selection.steps
    } catch {
      throw CalibrationError(
        .unsolvable,
        "OpenCV ends at an RMS of \(fixed(best.rms, 4)) px with a camera that cannot be judged (\(error)). "
          + "Our own fit (without --solver opencv) has \(fixed(own.solution.rms, 4)) px.")
    }
    self.fit = fit
    notices.append(Self.comparison(fit, own, beginning, jobs: fitting.jobs))
  }

  /// What OpenCV makes of the views, and what it began with.
  private static func best(
    _ views: [BoardView], _ own: LensFit, _ fitting: LensFitting, sample: [Int]
  ) throws(CalibrationError) -> (CameraCalibration, beginning: String) {
    var failure: OpenCVError?
    var best: (answer: CameraCalibration, beginning: String)?
    let starts: [(String, () throws -> CameraParameters)] = [
      ("its own start values", { try start(views, own, sample: sample) }),
      ("our camera", { own.solution.camera }),
    ]
    for (beginning, start) in starts {
      do {
        let camera = fitting.constraints.applied(
          to: try start(), keeping: own.selection.problem.free)
        let answer = try answer(views, own, fitting.resolution, from: camera)
        if best.map({ answer.isBetter(than: $0.answer) }) ?? true { best = (answer, beginning) }
        if answer.leftOut.isEmpty, answer.rms <= own.solution.rms * (1 + rounding) { break }
      } catch {
        failure = failure ?? (error as? OpenCVError)
      }
    }
    guard let best else {
      throw CalibrationError(
        .unsolvable,
        "OpenCV finds no \(fitting.lensModel.rawValue) lens for these \(views.count) views"
          + (failure.map { " (\($0))" } ?? "")
          + ". Our own fit (without --solver opencv) has an RMS of \(fixed(own.solution.rms, 4)) px."
      )
    }
    return (best.answer, best.beginning)
  }

  /// A first camera: of a few coefficients, as with all eight of a rational lens free from the start
  /// calibrateCamera ends in worse minima.
  private static func start(
    _ views: [BoardView], _ own: LensFit, sample: [Int]
  ) throws -> CameraParameters {
    let camera = own.solution.camera
    let model: LensModel = camera.lensModel == .fisheye ? .fisheye : .pinhole
    let few = model == .fisheye ? 2 : 4
    let calibration = try CameraCalibration.calibrate(
      sample.map { views[$0] }, resolution: camera.resolution, lensModel: model,
      options: .init(freeCoefficients: model.coefficientNames.indices.map { $0 < few }))
    return CameraParameters(
      resolution: camera.resolution, lensModel: camera.lensModel,
      intrinsics: calibration.camera.intrinsics, distortion: calibration.camera.distortion)
  }

  private static func answer(
    _ views: [BoardView], _ own: LensFit, _ resolution: Resolution, from start: CameraParameters
  ) throws -> CameraCalibration {
    let problem = own.selection.problem
    let free = problem.free
    var options = CameraCalibration.Options(
      freeCoefficients: Array(free.dropFirst(4)), start: start)
    options.fixesFocalLength = !free[0]
    options.fixesPrincipalPoint = !free[2]
    options.fixesAspectRatio = problem.hasSquarePixels && free[0]
    options.iterations = iterations
    options.epsilon = epsilon
    return try CameraCalibration.calibrate(
      views, resolution: resolution, lensModel: start.lensModel, options: options,
      staysWithStart: true)
  }

  /// How far both answers are from each other.
  private static func comparison(
    _ fit: LensFit, _ own: LensFit, _ beginning: String, jobs: Int
  ) -> String {
    let (theirs, ours) = (fit.solution, own.solution)
    var text =
      "OpenCV \(OpenCVLibrary.version), begun with \(beginning): RMS \(fixed(theirs.rms, 6)) px, our own "
      + "fit \(fixed(ours.rms, 6)) px"
    let leftOut = own.members.count - fit.members.count
    if leftOut > 0 {
      return text + "; OpenCV leaves out \(leftOut) of \(own.members.count) views."
    }
    if let deviations = try? ParameterCovariance(ours, jobs: jobs).standardDeviations {
      let names = ours.camera.lensModel.parameterNames
      let differences = zip(theirs.camera.parameterVector, ours.camera.parameterVector).map(-)
      let shares = zip(names, differences).compactMap { name, difference in
        deviations[name].map { (name: name, share: abs(difference) / $0) }
      }
      if let most = shares.max(by: { $0.share < $1.share }) {
        text +=
          "; its parameters are at most \(fixed(most.share, 5)) deviations from ours (\(most.name))"
      }
    }
    return text + "."
  }
}

extension CameraCalibration {
  /// More views, then the smaller error.
  fileprivate func isBetter(than other: CameraCalibration) -> Bool {
    leftOut.count == other.leftOut.count ? rms < other.rms : leftOut.count < other.leftOut.count
  }
}
