import CalibrationSolver
import CameraModel

/// Where a search begins while the views do not determine the camera.
extension QuickFit {
  func solve(from camera: CameraParameters) -> (SolverProblem, Solution)? {
    var poses: [Pose] = []
    for view in views {
      guard let pose = try? PoseEstimation.start(view, camera: camera) else { return nil }
      poses.append(pose)
    }
    let model = camera.lensModel
    let smallest = CoefficientSelection.smallestFree(model)
    let free = constraints.flags(model) { smallest[$0] && $0 < mostFree }
    var problem = SolverProblem(
      camera: camera, views: views, poses: poses, free: free, priors: firstPriors(around: camera))
    problem.hasSquarePixels = constraints.hasSquarePixels
    let options = BundleAdjustment.Options(maximumIterations: 60, tolerance: 1e-4)
    guard let solution = try? BundleAdjustment.solve(problem, options: options),
      solution.camera.intrinsics.fx > 0, solution.camera.intrinsics.fy > 0
    else { return nil }
    return (problem.started(from: solution), solution)
  }

  /// Focal lengths from narrow to wide; the views say which is near the truth.
  var startCameras: [CameraParameters] { lensModels.flatMap { startCameras($0) } }

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
            fx: factor * side, fy: factor * side, cx: resolution.middle.x,
            cy: resolution.middle.y)))
    }
  }

  /// The weak prior: focal length ± 30 %, centre ± 5 % of the width about the image's middle,
  /// coefficients 0 ± 0.5.
  func weakPriors(around camera: CameraParameters) -> [Int: ParameterPrior] {
    let width = Double(resolution.width)
    var priors: [Int: ParameterPrior] = [
      0: ParameterPrior(mean: camera.intrinsics.fx, deviation: 0.3 * camera.intrinsics.fx),
      1: ParameterPrior(mean: camera.intrinsics.fy, deviation: 0.3 * camera.intrinsics.fy),
      2: ParameterPrior(mean: resolution.middle.x, deviation: 0.05 * width),
      3: ParameterPrior(mean: resolution.middle.y, deviation: 0.05 * width),
    ]
    for index in 4..<camera.parameterVector.count {
      priors[index] = ParameterPrior(mean: 0, deviation: 0.5)
    }
    return priors
  }

  /// The weak prior, and what the user says instead of it.
  private func firstPriors(around camera: CameraParameters) -> [Int: ParameterPrior] {
    var priors = weakPriors(around: camera)
    // Of two that are one, the first has the say.
    if constraints.hasSquarePixels { priors[1] = nil }
    for (index, prior) in constraints.priors(camera.lensModel) {
      priors[constraints.hasSquarePixels && index == 1 ? 0 : index] = prior
    }
    return priors
  }
}
