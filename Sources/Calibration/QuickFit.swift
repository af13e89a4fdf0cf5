import Boards
import CalibrationSolver
import CameraModel

/// A calibration that grows view by view while a camera is watched.
///
/// It serves guidance: how well the camera is known so far, and what the next view would do. The result
/// that is stored comes from `CalibrationSession` and all that it checks; here the lens has few
/// coefficients and, until the views speak for themselves, a weak prior.
struct QuickFit: Sendable {
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
  private let mostFree: Int
  /// What is not estimated, or not from the views alone.
  private let constraints: ParameterConstraints
  /// The board, perhaps bent; nil where it is taken for flat.
  private let shape: BoardShape?

  /// The views so far.
  private(set) var views: [ObservedView] = []
  /// What was last solved, priors included; nil before the first view.
  private(set) var problem: SolverProblem?
  /// Its minimum.
  private(set) var solution: Solution?
  /// The level that 90 % of the image stays within, pixels; nil while the views alone don't determine
  /// the camera.
  private(set) var p90: Double?

  /// Until this many views the search starts anew from several focal lengths: with so few it may have
  /// gone to a wrong one.
  static let restarts = 5
  /// From this many views on they are solved for without priors, which then have no share in `p90`.
  static let fewestAlone = 4

  init(board: ChessboardGeometry, resolution: Resolution, options: CalibrationOptions) {
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
    shape = options.takesBoardForFlat ? nil : BendKnowledge.shape(board)
  }

  /// Whether a view has its corners where some board could show them; if so, it is added and all
  /// views are solved again.
  mutating func add(_ view: ObservedView) -> Bool {
    var grown = self
    grown.views.append(view)
    guard grown.solve() else { return false }
    self = grown
    return true
  }

  private mutating func solve() -> Bool {
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
    p90 = views.count >= Self.fewestAlone ? alone(best.problem, best.solution) : nil
    return true
  }

  private func solve(from camera: CameraParameters) -> (SolverProblem, Solution)? {
    var poses: [Pose] = []
    for view in views {
      guard let pose = try? PoseEstimation.start(view, camera: camera) else { return nil }
      poses.append(pose)
    }
    let model = camera.lensModel
    let smallest = CoefficientSelection.smallestFree(model)
    let free = constraints.flags(model) { smallest[$0] && $0 < mostFree }
    var problem = SolverProblem(
      camera: camera, views: views, poses: poses, free: free, priors: priors(around: camera),
      shape: shape)
    problem.hasSquarePixels = constraints.hasSquarePixels
    let options = BundleAdjustment.Options(maximumIterations: 60, tolerance: 1e-4)
    guard let solution = try? BundleAdjustment.solve(problem, options: options),
      solution.camera.intrinsics.fx > 0, solution.camera.intrinsics.fy > 0
    else { return nil }
    return (problem.started(from: solution), solution)
  }

  /// The p90 of the views without weak priors and without what does not fit the others.
  private func alone(_ problem: SolverProblem, _ start: Solution) -> Double? {
    var problem = problem.started(from: start)
    problem.priors = constraints.priors(problem.camera.lensModel)
    guard let rejection = try? OutlierRejection(problem),
      let covariance = try? ParameterCovariance(rejection.solution)
    else { return nil }
    return ProjectionUncertainty(rejection.solution, covariance: covariance).p90
  }

  /// Focal lengths from narrow to wide; the views say which is near the truth.
  private var startCameras: [CameraParameters] { lensModels.flatMap { startCameras($0) } }

  private func startCameras(_ lensModel: LensModel) -> [CameraParameters] {
    let side = Double(max(resolution.width, resolution.height))
    // Fields of view across the longer side of 29, 49, 65 and 90 degrees; of a fisheye, which has
    // f·θ, of 190, 143 and 95.
    let factors = lensModel == .fisheye ? [0.3, 0.4, 0.6] : [1.9, 1.1, 0.78, 0.5]
    return factors.map { factor in
      constraints.applied(
        to: CameraParameters(
          resolution: resolution, lensModel: lensModel,
          intrinsics: Intrinsics(
            fx: factor * side, fy: factor * side, cx: Double(resolution.width - 1) / 2,
            cy: Double(resolution.height - 1) / 2)))
    }
  }

  /// The weak prior: focal length ± 30 %, centre ± 5 % of the width about the image's middle,
  /// coefficients 0 ± 0.5.
  private func priors(around camera: CameraParameters) -> [Int: ParameterPrior] {
    let width = Double(resolution.width)
    var priors: [Int: ParameterPrior] = [
      0: ParameterPrior(mean: camera.intrinsics.fx, deviation: 0.3 * camera.intrinsics.fx),
      1: ParameterPrior(mean: camera.intrinsics.fy, deviation: 0.3 * camera.intrinsics.fy),
      2: ParameterPrior(mean: (width - 1) / 2, deviation: 0.05 * width),
      3: ParameterPrior(mean: Double(resolution.height - 1) / 2, deviation: 0.05 * width),
    ]
    for index in 4..<camera.parameterVector.count {
      priors[index] = ParameterPrior(mean: 0, deviation: 0.5)
    }
    // Of two that are one, the first has the say.
    if constraints.hasSquarePixels { priors[1] = nil }
    for (index, prior) in constraints.priors(camera.lensModel) {
      priors[constraints.hasSquarePixels && index == 1 ? 0 : index] = prior
    }
    return priors
  }
}
