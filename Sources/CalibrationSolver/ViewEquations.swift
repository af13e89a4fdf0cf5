import CameraModel

/// What views say of the shared parameters, their poses eliminated, and how each pose follows these: what
/// `GrowingSolution` adds up and moves along in the linear picture.
struct ViewEquations: Sendable {
  /// H, H_v, g_v and the rest; priors are not yet among them where all this comes from a pass.
  var linearization: Linearization
  /// Projected − seen for each point of each view, used or not, pixels: when the view was looked at.
  private(set) var residuals: [[SIMD2<Double>]]
  /// Of each active view Σ weight·r² in the linear picture, px².
  private var costs: [Double]
  /// D⁻¹·[Bᵀ | h] of each active view, one after another; no h is left once its pose has followed a step.
  private var eliminations: [Double]
  private let elimination: PoseElimination

  /// One pass over the points of a problem.
  ///
  /// - Throws: `pointNotVisible`, `singular`.
  init(_ problem: SolverProblem) throws(SolverError) {
    let packed = PackedViews(problem.views)
    let linearized = LinearizedViews(packed, problem: problem)
    if let view = linearized.evaluate(jobs: 1) {
      throw SolverError(
        .pointNotVisible, view: view,
        message: "the camera does not see one of its points")
    }
    let p = linearized.freeCount
    let reduced = ReducedViews(viewCount: problem.views.count, freeCount: p)
    if let view = reduced.reduce(linearized, damping: 0, jobs: 1) {
      throw SolverError(
        .singular, view: view,
        message: "its points do not determine where the board is")
    }
    linearization = Linearization(
      linearized, reduced: reduced, priors: WeighedPriors(slotCount: p), jobs: 1)
    elimination = reduced.elimination
    costs = []
    eliminations = []
    eliminations.reserveCapacity(elimination.size * linearization.activeViews.count)
    let last = linearized.width * linearized.width - 1
    for view in linearization.activeViews {
      costs.append(linearized.block(view)[last])
      eliminations += UnsafeBufferPointer(start: reduced.eliminated(view), count: elimination.size)
    }
    residuals = problem.views.indices.map { linearized.residuals(ofView: $0) }
  }
}

extension ViewEquations {
  /// Adds what one more view says, or one that took no part so far: `seen` is from that view alone.
  mutating func add(_ seen: ViewEquations, as view: Int) {
    if view < residuals.count {
      residuals[view] = seen.residuals[0]
    } else {
      residuals += seen.residuals
    }
    linearization.add(seen.linearization, as: view)
    costs += seen.costs
    eliminations += seen.eliminations
  }

  /// Takes out what an active view says: `seen` is from that view alone.
  mutating func remove(_ seen: ViewEquations, of view: Int) {
    guard let place = linearization.remove(seen.linearization, of: view) else { return }
    costs.remove(at: place)
    eliminations.removeSubrange((place * elimination.size)..<((place + 1) * elimination.size))
  }

  /// Closes the gap of a view that is no more, and was not active: those behind it move up.
  mutating func closeGap(at view: Int) {
    residuals.remove(at: view)
    for place in linearization.activeViews.indices where linearization.activeViews[place] > view {
      linearization.activeViews[place] -= 1
    }
  }
}

extension ViewEquations {
  /// The active views' share of the cost, px².
  var cost: Double { costs.reduce(0, +) }

  /// Moves costs and gradients with the shared parameters, and the poses of the active views.
  mutating func move(by shift: [Double], _ poses: inout [Pose]) {
    let step = UnsafeMutablePointer<Double>.allocate(capacity: 6)
    defer { step.deallocate() }
    for (place, view) in linearization.activeViews.enumerated() {
      costs[place] += linearization.move(place, by: shift)
      eliminations.withUnsafeMutableBufferPointer { all in
        guard let base = all.baseAddress else { return }
        let rows = base + place * elimination.size
        shift.withUnsafeBufferPointer { elimination.writeStep(step, from: rows, following: $0) }
        for k in 0..<6 { rows[k * elimination.columns + elimination.freeCount] = 0 }
      }
      let turn = RotationMatrix(rotationVector: SIMD3(step[0], step[1], step[2]))
      let pose = poses[view]
      poses[view] = Pose(
        rotation: (turn * RotationMatrix(rotationVector: pose.rotation)).rotationVector,
        translation: pose.translation + SIMD3(step[3], step[4], step[5]))
    }
  }
}
