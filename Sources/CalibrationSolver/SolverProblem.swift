package import CameraModel

/// What is known of a parameter beforehand: a Gaussian.
package struct ParameterPrior: Sendable, Hashable {
  /// The most likely value, in the parameter's unit.
  package var mean: Double
  /// 1σ, in the parameter's unit, above 0.
  package var deviation: Double
  /// What its weight against residuals is multiplied by, above 0: where views disagree by k times what
  /// corner noise explains, the residuals say k² times too much.
  package var emphasis: Double

  /// Creates a prior `mean` ± `deviation`.
  package init(mean: Double, deviation: Double, emphasis: Double = 1) {
    self.mean = mean
    self.deviation = deviation
    self.emphasis = emphasis
  }

  /// What the square of the distance from `mean` is multiplied by beside residuals of this variance, px².
  func weight(at variance: Double) -> Double { variance * emphasis / (deviation * deviation) }
}

/// A calibration to be solved: views of boards, start values, and which parameters may move.
package struct SolverProblem: Sendable, Hashable {
  /// The start values; its lens model is the one that is solved for.
  package var camera: CameraParameters
  /// The views.
  package var views: [ObservedView]
  /// A start pose for each view.
  package var poses: [Pose]
  /// For each parameter, in the order of `camera.lensModel.parameterNames`, whether it is estimated.
  package var free: [Bool]
  /// Priors by the index of their parameter; they act on free parameters only.
  package var priors: [Int: ParameterPrior]
  /// Whether fx and fy are one unknown; then both must be free, or neither, and begin equal.
  package var hasSquarePixels = false
  /// The shape of the board; nil for boards whose points lie where they are said to lie.
  package var shape: BoardShape?
  /// What s² is multiplied by because the largest residuals were cut away; 1 where none were.
  package var varianceCorrection = 1.0

  /// Creates a problem; all parameters that can be estimated are free unless `free` says otherwise.
  package init(
    camera: CameraParameters, views: [ObservedView], poses: [Pose], free: [Bool]? = nil,
    priors: [Int: ParameterPrior] = [:], shape: BoardShape? = nil
  ) {
    self.camera = camera
    self.views = views
    self.poses = poses
    self.free = free ?? camera.lensModel.isEstimated
    self.priors = priors
    self.shape = shape
  }
}

extension SolverProblem {
  /// The same problem, started from a solution.
  package func started(from solution: Solution) -> SolverProblem {
    var next = self
    next.camera = solution.camera
    next.poses = solution.poses
    if let bend = solution.bend { next.shape?.bend = bend }
    return next
  }

  /// The views with used points, by index.
  package var activeViews: [Int] { views.indices.filter { views[$0].usedCount > 0 } }

  /// Refuses counts that do not fit, numbers that are not finite, and views with 1 to 3 used points.
  func validate() throws(SolverError) {
    let count = camera.lensModel.parameterNames.count
    guard free.count == count else {
      throw SolverError(
        .mismatchedInput, subject: "free parameters",
        message: "\(free.count) flags for the \(count) parameters of \(camera.lensModel)")
    }
    guard poses.count == views.count else {
      throw SolverError(
        .mismatchedInput, subject: "poses",
        message: "\(poses.count) start poses for \(views.count) views")
    }
    for (index, prior) in priors { try prior.validate("parameter \(index)") }
    try shape?.prior?.validate("the bend")
    guard shape?.bend.isSound ?? true else {
      throw SolverError(
        .nonFinite, subject: "bend of the board",
        message: "a corner field with an extent and finite numbers are needed")
    }
    guard !hasSquarePixels || free[0] == free[1] && camera.intrinsics.fx == camera.intrinsics.fy
    else {
      throw SolverError(
        .mismatchedInput, subject: "square pixels",
        message: "fx and fy are one unknown: both must be free or held, and begin equal")
    }
    guard camera.parameterVector.allSatisfy(\.isFinite),
      camera.intrinsics.fx > 0, camera.intrinsics.fy > 0
    else {
      throw SolverError(
        .nonFinite, subject: "start camera",
        message: "finite parameters and focal lengths above 0 are needed: "
          + "\(camera.parameterVector)")
    }
    for (index, view) in views.enumerated() { try view.validate(index: index, pose: poses[index]) }
  }
}

extension ParameterPrior {
  fileprivate func validate(_ name: String) throws(SolverError) {
    guard deviation > 0, mean.isFinite, emphasis > 0, emphasis.isFinite else {
      throw SolverError(
        .nonFinite, subject: "prior of \(name)",
        message: "\(mean) ± \(deviation) is no prior; a deviation above 0 is needed")
    }
  }
}

extension SIMD where Scalar == Double {
  /// Whether no component is infinite or not a number.
  var isFinite: Bool { indices.allSatisfy { self[$0].isFinite } }
}
