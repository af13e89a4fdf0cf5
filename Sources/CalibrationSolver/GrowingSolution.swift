package import CameraModel

/// A solution whose views change one by one, each at a fraction of what a solution costs.
///
/// A view adds its block to the normal equations of the shared parameters, or takes it away again; the
/// poses, the costs and the gradients of the other views follow the step as far as the linear picture goes.
/// All points are looked at again only where the parameters have moved so far that it is no longer true.
package struct GrowingSolution: Sendable {
  /// The views, with the camera and the poses as they are now.
  package private(set) var problem: SolverProblem
  /// The normal equations as they are now, priors included.
  ///
  /// Its median depth is that of the last pass.
  package private(set) var linearization: Linearization
  /// Projected − seen for each point of each view, used or not, pixels: when the view was last looked at,
  /// which is less than `mostDrift` ago.
  package private(set) var residuals: [[SIMD2<Double>]]
  /// The number of passes over all points so far, the one at the beginning included.
  package private(set) var passes = 0

  /// Of each active view Σ weight·r² in the linear picture, px².
  private var costs: [Double]
  /// D⁻¹·Bᵀ of each active view: six rows of a number for each slot.
  private var eliminations: [Double]
  /// D⁻¹·h of each active view; 0 once its pose has followed a step.
  private var offsets: [Double]
  /// The steps since the last pass over all points, in deviations of each parameter: the sum of the largest.
  private var drift = 0.0

  /// A pass over all points follows once a parameter has moved by more than this many of its
  /// deviations: below, what the equations miss is some hundredths of that.
  package static let mostDrift = 0.1
  /// Passes end when no parameter moves by more than this many of its deviations.
  private static let settled = 5e-3
  private static let mostPasses = 20

  /// Begins with a solution of `problem`, at the cost of one pass.
  ///
  /// - Throws: As `BundleAdjustment.solve`.
  package init(_ solution: Solution, of problem: SolverProblem) throws(SolverError) {
    self.problem = problem.started(from: solution)
    linearization = solution.linearization
    (residuals, costs, eliminations, offsets) = ([], [], [], [])
    try settle()
  }
}

extension GrowingSolution {
  /// Adds a view and moves all to the new minimum.
  ///
  /// - Parameter pose: The best pose for the camera as it is, where it is known.
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func add(_ view: ObservedView, at pose: Pose? = nil) throws(SolverError) {
    var grown = self
    grown.problem.views.append(view)
    let place = if let pose { pose } else { try Self.pose(of: view, problem, near: nil) }
    grown.problem.poses.append(place)
    try grown.take(grown.problem.views.count - 1)
    try grown.follow()
    self = grown
  }

  /// Puts other views, or the same with other marks, in the place of views, and moves all to the new
  /// minimum; a view without used points is left out.
  ///
  /// - Parameter views: By index.
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func replace(_ views: [Int: ObservedView]) throws(SolverError) {
    var grown = self
    for (index, view) in views.sorted(by: { $0.key < $1.key }) {
      let pose = grown.problem.views[index].usedCount > 0 ? grown.problem.poses[index] : nil
      try grown.leave(index)
      grown.problem.views[index] = view
      guard view.usedCount > 0 else { continue }
      grown.problem.poses[index] = try Self.pose(of: view, grown.problem, near: pose)
      try grown.take(index)
    }
    try grown.follow()
    self = grown
  }

  /// Takes a view away and moves all to the new minimum.
  ///
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func remove(at index: Int) throws(SolverError) {
    var grown = self
    try grown.leave(index)
    grown.problem.views.remove(at: index)
    grown.problem.poses.remove(at: index)
    grown.residuals.remove(at: index)
    for place in grown.linearization.activeViews.indices
    where grown.linearization.activeViews[place] > index {
      grown.linearization.activeViews[place] -= 1
    }
    try grown.follow()
    self = grown
  }

  /// Holds the board's bend by another prior, or by none, and moves all to the new minimum.
  ///
  /// - Throws: As `BundleAdjustment.solve`; `self` is then as it was.
  package mutating func hold(bend prior: ParameterPrior?) throws(SolverError) {
    var grown = self
    grown.problem.shape?.prior = prior
    try grown.follow()
    self = grown
  }

  /// Where a board is, seen by the camera as it is.
  private static func pose(
    of view: ObservedView, _ problem: SolverProblem, near pose: Pose?
  ) throws(SolverError) -> Pose {
    let start = if let pose { pose } else { try PoseEstimation.start(view, camera: problem.camera) }
    return try PoseEstimation.refine(
      view, camera: problem.camera, bend: problem.shape?.bend, from: start
    ).pose
  }

  /// Looks at a view and adds what it says to the equations.
  private mutating func take(_ index: Int) throws(SolverError) {
    let seen = try look(index)
    if index < residuals.count {
      residuals[index] = seen.residuals[0]
    } else {
      residuals += seen.residuals
    }
    linearization.add(seen.linearization, as: index)
    costs += seen.costs
    eliminations += seen.eliminations
    offsets += seen.offsets
  }

  /// Takes what a view says out of the equations.
  private mutating func leave(_ index: Int) throws(SolverError) {
    guard problem.views[index].usedCount > 0,
      let place = linearization.remove(try look(index).linearization, of: index)
    else { return }
    let size = 6 * linearization.freeCount
    costs.remove(at: place)
    eliminations.removeSubrange((place * size)..<((place + 1) * size))
    offsets.removeSubrange((place * 6)..<((place + 1) * 6))
  }

  /// One view, seen by the camera as it is.
  private func look(_ index: Int) throws(SolverError) -> ViewEquations {
    var alone = problem
    alone.views = [problem.views[index]]
    alone.poses = [problem.poses[index]]
    return try ViewEquations(alone)
  }
}

extension GrowingSolution {
  /// Passes over all points until nothing moves any more.
  package mutating func settle() throws(SolverError) {
    for _ in 0..<Self.mostPasses {
      let all = try ViewEquations(problem)
      passes += 1
      linearization = all.linearization
      residuals = all.residuals
      costs = all.costs
      eliminations = all.eliminations
      offsets = all.offsets
      drift = 0
      let moved = try step()
      if moved < Self.settled { return }
    }
  }

  /// One step in the linear picture, and all points anew where that has led too far.
  private mutating func follow() throws(SolverError) {
    drift += try step()
    if drift > Self.mostDrift { try settle() }
  }

  /// One Gauss–Newton step; how far it went, in deviations of the parameter that went farthest.
  private mutating func step() throws(SolverError) -> Double {
    let count = linearization.freeCount
    guard count > 0 else { return 0 }
    weighPriors()
    guard let covariance = SmallMatrix.inverse(linearization.hessian, count) else {
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
    for place in costs.indices { follow(shift, place) }
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

  /// Moves cost, gradient and pose of an active view with the shared parameters.
  private mutating func follow(_ shift: [Double], _ place: Int) {
    costs[place] += linearization.move(place, by: shift)
    let count = shift.count
    var delta = SIMD8<Double>()
    eliminations.withUnsafeBufferPointer { z in
      for k in 0..<6 {
        var sum = offsets[place * 6 + k]
        let row = (place * 6 + k) * count
        for j in 0..<count { sum += z[row + j] * shift[j] }
        delta[k] = -sum
      }
    }
    for k in 0..<6 { offsets[place * 6 + k] = 0 }
    let view = linearization.activeViews[place]
    let pose = problem.poses[view]
    let turn = RotationMatrix(rotationVector: SIMD3(delta[0], delta[1], delta[2]))
    problem.poses[view] = Pose(
      rotation: (turn * RotationMatrix(rotationVector: pose.rotation)).rotationVector,
      translation: pose.translation + SIMD3(delta[3], delta[4], delta[5]))
  }

  /// Σ g_v and the priors' share: what is left of it is what the next step removes.
  private var gradient: [Double] {
    let count = linearization.freeCount
    let vector = problem.sharedVector
    var sum = (0..<count).map { linearization.priorWeights[$0] * difference($0, vector) }
    for place in costs.indices {
      for slot in 0..<count { sum[slot] += linearization.viewGradients[place * count + slot] }
    }
    return sum
  }

  /// How far a slot is from the mean of its prior.
  private func difference(_ slot: Int, _ vector: [Double]) -> Double {
    linearization.priors[slot].map {
      vector[problem.freeParameters.first(slot)] - $0.mean
    } ?? 0
  }

  /// Gives the priors the weight that fits the residuals as they are now.
  private mutating func weighPriors() {
    let priors = problem.priors(of: problem.freeParameters)
    linearization.hold(priors, at: max(costPerDegree, 1e-12))
  }
}

extension GrowingSolution {
  /// H: the sum of the views' blocks and of the priors' weights.
  package var hessian: [Double] { linearization.hessian }

  /// s, per axis, pixels.
  package var sigma: Double { (costPerDegree * problem.varianceCorrection).squareRoot() }

  private var degreesOfFreedom: Int {
    let active = linearization.activeViews
    let points = active.reduce(0) { $0 + problem.views[$1].usedCount }
    return max(1, DegreesOfFreedom(problem, points: points, views: active.count).value)
  }

  /// The views' and the priors' cost by the degrees of freedom, px².
  private var costPerDegree: Double {
    let vector = problem.sharedVector
    var sum = costs.reduce(0, +)
    for (slot, weight) in linearization.priorWeights.enumerated() where weight > 0 {
      let difference = difference(slot, vector)
      sum += weight * difference * difference
    }
    return max(0, sum) / Double(degreesOfFreedom)
  }

  /// What a solution of all views at once would have given, to some thousandths of each deviation.
  ///
  /// Its residuals are those of `residuals`.
  package var solution: Solution {
    var (squares, points) = (0.0, 0)
    for (own, view) in zip(residuals, problem.views) {
      for (r, isUsed) in zip(own, view.isUsed) where isUsed {
        squares += (r * r).sum()
        points += 1
      }
    }
    return Solution(
      camera: problem.camera, poses: problem.poses, residuals: residuals,
      rms: (squares / Double(max(1, points))).squareRoot(), sigma: sigma, free: problem.free,
      freeParameters: problem.freeParameters, bend: problem.shape?.bend,
      degreesOfFreedom: degreesOfFreedom, iterations: passes, converged: true,
      linearization: linearization)
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
