import CameraModel
import Locking

/// One search for a minimum; see `BundleAdjustment.solve`.
struct LevenbergMarquardt {
  let problem: SolverProblem
  let options: BundleAdjustment.Options
  /// Where the search stands, and the place that it tries next.
  private var current: LinearizedViews
  private var trial: LinearizedViews
  private let reduced: ReducedViews
  private let free: FreeParameters
  /// The priors of the slots, weighed by `variance`.
  private var priors: WeighedPriors
  /// The variance of a residual, which weighs priors against pixels; px².
  private var variance = 0.0

  init(_ problem: SolverProblem, packed: PackedViews, options: BundleAdjustment.Options) {
    self.problem = problem
    self.options = options
    current = LinearizedViews(packed, problem: problem)
    trial = LinearizedViews(packed, problem: problem)
    free = current.free
    priors = WeighedPriors(problem.priors(of: free), at: 0)
    reduced = ReducedViews(viewCount: packed.viewCount, freeCount: free.slots.count)
  }

  /// Runs to the minimum.
  mutating func run(degreesOfFreedom: Int) throws(SolverError) -> Solution {
    if let view = current.evaluate(jobs: options.jobs) {
      throw SolverError(
        .pointNotVisible, view: view,
        message: "the start camera does not see a board point at the start pose; "
          + "give a pose in front of the camera")
    }
    // No corner is known to a millionth of a pixel; without this floor perfect data, whose s² falls
    // with every pass, would be followed into rounding.
    let floor = 1e-12
    weighPriors(at: max(current.cost / Double(degreesOfFreedom), floor))
    var damping = options.initialDamping
    // Below this the system was singular once; going there again would waste every other pass.
    var leastDamping = 0.0
    var iterations = 0
    var converged = false
    while iterations < options.maximumIterations {
      iterations += 1
      let scale = max(cost(of: current) / Double(degreesOfFreedom), floor)
      guard let step = step(damping: damping) else {
        guard damping < 1e12 else { break }
        damping = max(damping * 10, 1e-12)
        leastDamping = damping
        continue
      }
      if step.promise <= options.tolerance * scale, damping <= 0.1 {
        guard settlesPriors(scale) else { continue }
        converged = true
        break
      }
      if improves(with: step) {
        // Less damping only where the linear picture was right; in a curved valley, where a step
        // keeps a small part of its promise, going back and forth would double the passes.
        let kept = (cost(of: current) - cost(of: trial)) / step.promise
        swap(&current, &trial)
        if kept > 0.75 {
          damping = max(damping > 1e-12 ? damping / 10 : 0, leastDamping)
        } else if kept < 0.1 {
          damping = max(damping * 3, 1e-12)
        }
      } else {
        // Rounding decides below this promise: the minimum is as good as it gets.
        if step.promise < 1e-13 * cost(of: current), damping <= 1e3 {
          guard settlesPriors(scale) else { continue }
          converged = true
          break
        }
        guard damping < 1e12 else { break }
        damping = max(damping * 10, 1e-12)
      }
    }
    return try Solution(
      problem: problem, at: current, reduced: reduced, priors: priors,
      degreesOfFreedom: degreesOfFreedom, iterations: iterations, converged: converged,
      jobs: options.jobs)
  }

  /// Whether the weight of the priors fits the residuals that they led to; if not, adapts it.
  private mutating func settlesPriors(_ scale: Double) -> Bool {
    guard !priors.isEmpty, abs(scale / variance - 1) > 1e-3 else { return true }
    weighPriors(at: scale)
    return false
  }

  private mutating func weighPriors(at variance: Double) {
    self.variance = variance
    priors = WeighedPriors(priors.all, at: variance)
  }

  private func cost(of state: LinearizedViews) -> Double { state.cost(with: priors) }

  /// A step of the free parameters, and by how much it promises to lower the cost.
  private struct Step {
    var shared: [Double]
    var promise: Double
  }

  /// The damped Gauss–Newton step from `current`; nil where the damped system is singular.
  private func step(damping: Double) -> Step? {
    let p = free.slots.count
    guard reduced.reduce(current, damping: damping, jobs: options.jobs) == nil else { return nil }
    let sums = reduced.total
    var (matrix, gradient, diagonal) = (sums.matrix, sums.gradient, sums.diagonal)
    var promise = 0.0
    let weights = priors.weights
    let distances = weights.indices.map { priors.distance($0, current.parameters[free.first($0)]) }
    for slot in 0..<p where weights[slot] > 0 {
      matrix[slot * p + slot] += weights[slot]
      gradient[slot] += weights[slot] * distances[slot]
      diagonal[slot] += weights[slot]
    }
    for i in 0..<p { matrix[i * p + i] += damping * diagonal[i] }
    // 1e-15: a damped matrix that is worse than this gains nothing from being solved.
    let isRegular = matrix.withUnsafeMutableBufferPointer { a in
      gradient.withUnsafeMutableBufferPointer { b in
        guard let a = a.baseAddress, let b = b.baseAddress else { return true }
        guard Cholesky.factor(a, p, tolerance: 1e-15) else { return false }
        Cholesky.solve(a, p, b)
        return true
      }
    }
    guard isRegular else { return nil }
    let shared = gradient.map { -$0 }
    for (slot, value) in shared.enumerated() {
      guard value.isFinite else { return nil }
      promise += damping * diagonal[slot] * value * value
      promise -= weights[slot] * distances[slot] * value
    }
    promise += promiseOfViews(shared, damping: damping)
    return promise.isFinite ? Step(shared: shared, promise: promise) : nil
  }

  /// −gᵀδ + λ·δᵀ·diag·δ over the residuals: what a linear model says of the fall of Σr².
  ///
  /// Leaves the steps of the views' poses in `reduced.steps`.
  private func promiseOfViews(_ shared: [Double], damping: Double) -> Double {
    let (reduced, current) = (reduced, current)
    Parallel.forEach(reduced.viewCount, jobs: reduced.jobs(options.jobs)) { view in
      guard current.packed.isActive[view] else { return }
      reduced.stepPose(view, shared, of: current, damping: damping)
    }
    var promise = 0.0
    for view in 0..<reduced.viewCount where current.packed.isActive[view] {
      promise += reduced.promises[view]
    }
    return promise
  }

  /// Whether one step from `current` leads to a better place, which `trial` then is.
  private func improves(with step: Step) -> Bool {
    for index in 0..<(current.parameterCount + 2) {
      trial.parameters[index] = current.parameters[index]
    }
    for (slot, value) in step.shared.enumerated() {
      for index in free.slots[slot] { trial.parameters[index] += value }
    }
    guard trial.parameters[0] > 0, trial.parameters[1] > 0 else { return false }
    let (reduced, current, trial) = (reduced, current, trial)
    let hidden = trial.evaluate(jobs: options.jobs) { view in
      guard current.packed.isActive[view] else { return }
      let step = reduced.steps + 6 * view
      let turn = RotationMatrix(rotationVector: SIMD3(step[0], step[1], step[2]))
      trial.setPose(
        turn * current.rotation(ofView: view),
        current.translation(ofView: view) + SIMD3(step[3], step[4], step[5]), ofView: view)
    }
    return hidden == nil && cost(of: trial) < cost(of: current)
  }
}
