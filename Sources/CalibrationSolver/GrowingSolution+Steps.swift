import CameraModel

extension GrowingSolution {
  /// A pass over all points follows once a parameter has moved by more than this many of its
  /// deviations: below, what the equations miss is some hundredths of that.
  static let mostDrift = 0.1
  /// Passes end when no parameter moves by more than this many of its deviations.
  static let settled = 5e-3
  private static let mostPasses = 20

  /// One step in the linear picture, and all points anew where that has led too far.
  mutating func follow() throws(SolverError) {
    drift += try step()
    if drift > Self.mostDrift { try settle() }
  }

  /// Passes over all points until nothing moves any more.
  mutating func settle() throws(SolverError) {
    for _ in 0..<Self.mostPasses {
      equations = try ViewEquations(problem)
      passes += 1
      drift = 0
      if try step() < Self.settled { return }
    }
  }

  /// One Gauss–Newton step; how far it went, in deviations of the parameter that went farthest.
  mutating func step() throws(SolverError) -> Double {
    let count = equations.linearization.freeCount
    guard count > 0 else { return 0 }
    weighPriors()
    guard let covariance = SmallMatrix.inverse(hessian, count) else {
      throw SolverError(
        .singular, subject: "parameters",
        message: "the views say nothing of some combination of them")
    }
    let gradient = gradient
    var shift = [Double](repeating: 0, count: count)
    for i in 0..<count {
      for j in 0..<count { shift[i] -= covariance[i * count + j] * gradient[j] }
    }
    var vector = problem.sharedVector
    for (slot, indices) in problem.freeParameters.slots.enumerated() {
      for index in indices { vector[index] += shift[slot] }
    }
    guard vector[0] > 0, vector[1] > 0 else {
      throw SolverError(.singular, subject: "parameters", message: "a negative focal length")
    }
    problem.sharedVector = vector
    equations.move(by: shift, &problem.poses)
    let scale = max(sigma, 1e-9)
    var moved = 0.0
    for i in 0..<count {
      moved = max(moved, abs(shift[i]) / (scale * covariance[i * count + i].squareRoot()))
    }
    guard moved.isFinite else {
      throw SolverError(
        .singular, subject: "parameters", message: "a step that is not a number")
    }
    return moved
  }

  /// Σ g_v and the priors' share: what is left of it is what the next step removes.
  private var gradient: [Double] {
    let priors = equations.linearization.priors
    let values = slotValues
    return equations.linearization.gradient.enumerated().map { slot, sum in
      sum + priors.weights[slot] * priors.distance(slot, values[slot])
    }
  }

  /// The value of each slot.
  private var slotValues: [Double] {
    let (parameters, vector) = (problem.freeParameters, problem.sharedVector)
    return parameters.slots.indices.map { vector[parameters.first($0)] }
  }

  /// Gives the priors the weight that fits the residuals as they are now.
  private mutating func weighPriors() {
    let priors = problem.priors(of: problem.freeParameters)
    equations.linearization.hold(WeighedPriors(priors, at: max(costPerDegree, 1e-12)))
  }
}

extension GrowingSolution {
  /// H: the sum of the views' blocks and of the priors' weights.
  package var hessian: [Double] { equations.linearization.hessian }

  /// s, per axis, pixels.
  package var sigma: Double { (costPerDegree * problem.varianceCorrection).squareRoot() }

  /// 2·points − free shared parameters − 6·views, at least 1.
  var degreesOfFreedom: Int {
    let active = equations.linearization.activeViews
    let points = active.reduce(0) { $0 + problem.views[$1].usedCount }
    return max(1, DegreesOfFreedom(problem, points: points, views: active.count).value)
  }

  /// The views' and the priors' cost by the degrees of freedom, px².
  private var costPerDegree: Double {
    let values = slotValues
    let sum = equations.cost + equations.linearization.priors.cost { values[$0] }
    return max(0, sum) / Double(degreesOfFreedom)
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
