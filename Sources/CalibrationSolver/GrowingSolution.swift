import CameraModel

/// A solution to which views are added one by one, each at a fraction of what a solution costs.
///
/// A view adds its block to the normal equations of the shared parameters; the poses of the other views
/// follow the step through what their elimination left. Only where the parameters have moved so far that
/// those equations are no longer true are all points looked at again.
package struct GrowingSolution: Sendable {
  /// The views, with the camera and the poses as they are now.
  package private(set) var problem: SolverProblem
  /// H: the sum of the views' blocks and of the priors' weights.
  package private(set) var hessian: [Double]
  /// Σ weight·r² and the priors' share, as the linear picture has it since the last pass, px².
  private var cost: Double
  /// The number of passes over all points so far, the one at the beginning included.
  package private(set) var passes = 0
  /// The step since the last pass over all points, in deviations of each parameter: the largest.
  private var drift = 0.0
  /// D⁻¹·[Bᵀ | h] of each view: six rows of one number more than there are free parameters.
  ///
  /// h is 0 once the pose has followed a step. Empty where a view takes no part.
  private var eliminations: [[Double]]

  /// A pass over all points follows once a parameter has moved by more than this many of its
  /// deviations: below, what the equations miss is some hundredths of that.
  private static let mostDrift = 0.1
  /// Passes end when no parameter moves by more than this many of its deviations.
  private static let settled = 5e-3
  private static let mostPasses = 20

  /// Begins with a solution of `problem`, at the cost of one pass.
  ///
  /// - Throws: As `BundleAdjustment.solve`.
  package init(_ solution: Solution, of problem: SolverProblem) throws(SolverError) {
    self.problem = problem.started(from: solution)
    hessian = []
    eliminations = []
    cost = 0
    try settle()
  }

  /// s, per axis, pixels.
  package var sigma: Double {
    let active = problem.activeViews
    let points = active.reduce(0) { $0 + problem.views[$1].usedCount }
    let degrees = DegreesOfFreedom(problem, points: points, views: active.count)
    return max(0, cost / Double(max(1, degrees.value))).squareRoot()
  }

  /// Adds a view and moves all to the new minimum.
  ///
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func add(_ view: ObservedView) throws(SolverError) {
    let start = try PoseEstimation.start(view, camera: problem.camera)
    let fit = try PoseEstimation.refine(
      view, camera: problem.camera, from: start, tolerance: 1e-8)
    var alone = problem
    alone.views = [view]
    alone.poses = [fit.pose]
    let seen = try ViewEquations(alone, jobs: 1)
    var grown = self
    grown.problem.views.append(view)
    grown.problem.poses.append(fit.pose)
    grown.eliminations += seen.eliminations
    for index in hessian.indices { grown.hessian[index] += seen.hessian[index] }
    // At a minimum the other views' gradients and the priors' add up to 0, after a step of the linear
    // picture, too.
    grown.cost += seen.cost
    let moved = try grown.step(against: seen.gradient)
    grown.drift += moved
    if grown.drift > Self.mostDrift { try grown.settle() }
    self = grown
  }

  /// Passes over all points until nothing moves any more.
  package mutating func settle() throws(SolverError) {
    for _ in 0..<Self.mostPasses {
      let all = try ViewEquations(problem, jobs: 1)
      passes += 1
      hessian = all.hessian
      cost = all.cost
      let weights = priorWeights
      eliminations = all.eliminations
      drift = 0
      var gradient = all.gradient
      let (vector, free) = (problem.sharedVector, problem.freeParameters)
      let count = gradient.count
      for (slot, prior) in problem.priors(of: free).enumerated() {
        guard let prior else { continue }
        let difference = vector[free.first(slot)] - prior.mean
        hessian[slot * count + slot] += weights[slot]
        gradient[slot] += weights[slot] * difference
        cost += weights[slot] * difference * difference
      }
      let moved = try step(against: gradient)
      if moved < Self.settled { return }
    }
  }

  /// s²/σ² of the prior of each slot, 0 without one.
  private var priorWeights: [Double] {
    let variance = max(sigma * sigma, 1e-12)
    return problem.priors(of: problem.freeParameters).map { $0?.weight(at: variance) ?? 0 }
  }

  /// One Gauss–Newton step; how far it went, in deviations of the parameter that went farthest.
  private mutating func step(against gradient: [Double]) throws(SolverError) -> Double {
    let count = gradient.count
    guard count > 0 else { return 0 }
    guard let covariance = SmallMatrix.inverse(hessian, count) else {
      throw SolverError(
        .singular, subject: "parameters",
        message: "the views say nothing of some combination of them")
    }
    var shift = [Double](repeating: 0, count: count)
    for i in 0..<count {
      for j in 0..<count { shift[i] -= covariance[i * count + j] * gradient[j] }
    }
    var promise = 0.0
    for i in 0..<count { promise -= gradient[i] * shift[i] }
    cost -= promise
    let scale = max(sigma, 1e-9)
    var moved = 0.0
    for i in 0..<count {
      moved = max(moved, abs(shift[i]) / (scale * covariance[i * count + i].squareRoot()))
    }
    guard moved.isFinite else {
      throw SolverError(
        .singular, subject: "parameters", message: "a step that is not a number")
    }
    var vector = problem.sharedVector
    for (slot, indices) in problem.freeParameters.slots.enumerated() {
      for index in indices { vector[index] += shift[slot] }
    }
    guard vector[0] > 0, vector[1] > 0 else {
      throw SolverError(.singular, subject: "parameters", message: "a negative focal length")
    }
    problem.sharedVector = vector
    for view in problem.poses.indices where !eliminations[view].isEmpty {
      follow(view, shift)
    }
    return moved
  }

  /// Moves a pose with the shared parameters.
  private mutating func follow(_ view: Int, _ shift: [Double]) {
    let count = shift.count
    var delta = [Double](repeating: 0, count: 6)
    var isOff = false
    eliminations[view].withUnsafeBufferPointer { z in
      for k in 0..<6 {
        let own = z[k * (count + 1) + count]
        delta[k] = -own
        if own != 0 { isOff = true }
        for j in 0..<count { delta[k] -= z[k * (count + 1) + j] * shift[j] }
      }
    }
    if isOff { for k in 0..<6 { eliminations[view][k * (count + 1) + count] = 0 } }
    let pose = problem.poses[view]
    let turn = RotationMatrix(rotationVector: SIMD3(delta[0], delta[1], delta[2]))
    problem.poses[view] = Pose(
      rotation: (turn * RotationMatrix(rotationVector: pose.rotation)).rotationVector,
      translation: pose.translation + SIMD3(delta[3], delta[4], delta[5]))
  }
}

extension SolverProblem {
  /// The camera's parameters in the order of `LensModel.parameterNames`, then a and b of the bend.
  fileprivate var sharedVector: [Double] {
    get {
      let sagitta = shape?.bend.sagitta ?? SIMD2()
      return camera.parameterVector + [sagitta.x, sagitta.y]
    }
    set {
      camera = CameraParameters(
        resolution: camera.resolution, lensModel: camera.lensModel,
        parameterVector: Array(newValue.dropLast(2)))
      shape?.bend.sagitta = SIMD2(newValue[newValue.count - 2], newValue[newValue.count - 1])
    }
  }
}
