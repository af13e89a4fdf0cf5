import CameraModel

/// Where the camera goes when a part of the views is left out: one Gauss–Newton step for each part, from the
/// normal equations at the solution of all views.
struct FoldSteps {
  /// A camera and the board's bend, as far as it has one.
  struct Camera: Sendable {
    var camera: CameraParameters
    var bend: BoardBend?
    /// s of the views that are left, per axis, pixels.
    var sigma: Double
  }

  /// The camera without each part.
  private(set) var cameras: [Camera] = []
  /// The part without which the camera moves the most, in the metric of the views that are left.
  private(set) var farthest = 0

  /// - Parameters:
  ///   - problem: Started from its solution.
  ///   - solution: That solution.
  ///   - parts: The views that are left out together, as indices into those of the problem.
  /// - Returns: nil where the views that are left do not determine a camera.
  init?(_ problem: SolverProblem, _ solution: Solution, _ parts: [[Int]]) {
    let linear = solution.linearization
    let p = linear.freeCount
    let slots = problem.freeParameters.slots
    guard slots.count == p else { return nil }
    let parameters = problem.camera.parameterVector
    let sagitta = problem.shape?.bend.sagitta ?? SIMD2()
    let values = parameters + [sagitta.x, sagitta.y]
    let places = Dictionary(
      linear.activeViews.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let cost = solution.variance * Double(solution.degreesOfFreedom) / problem.varianceCorrection
    let whole = linear.descent(at: slots.map { values[$0[0]] })
    var longest = -Double.infinity
    for (number, part) in parts.enumerated() {
      // H and −g of the views that are left, and of the priors.
      var (hessian, step) = (linear.hessian, whole)
      for view in part {
        guard let place = places[view] else { return nil }
        for index in 0..<(p * p) { hessian[index] -= linear.viewHessians[place * p * p + index] }
        for slot in 0..<p { step[slot] += linear.viewGradients[place * p + slot] }
      }
      let descent = step
      guard p == 0 || SmallMatrix.solve(hessian, p, &step) else { return nil }
      var moved = values
      for (slot, shift) in step.enumerated() {
        for index in slots[slot] { moved[index] += shift }
      }
      guard moved.allSatisfy(\.isFinite), moved[0] > 0, moved[1] > 0 else { return nil }
      var bend = problem.shape?.bend
      bend?.sagitta = SIMD2(moved[parameters.count], moved[parameters.count + 1])
      let length = zip(step, descent).reduce(0) { $0 + $1.0 * $1.1 }
      var (squares, freedom) = (cost - length, solution.degreesOfFreedom)
      for view in part {
        squares -= problem.views[view].squares(solution.residuals[view])
        freedom -= 2 * problem.views[view].usedCount - 6
      }
      guard freedom > 0 else { return nil }
      let variance = max(0, squares) / Double(freedom) * problem.varianceCorrection
      cameras.append(
        Camera(
          camera: CameraParameters(
            resolution: problem.camera.resolution, lensModel: problem.camera.lensModel,
            parameterVector: Array(moved.prefix(parameters.count))), bend: bend,
          sigma: variance.squareRoot()))
      if length > longest { (longest, farthest) = (length, number) }
    }
  }
}

extension Linearization {
  /// −g: of all views and of the priors, with the slots at `values`.
  fileprivate func descent(at values: [Double]) -> [Double] {
    let gradient = gradient
    return gradient.indices.map { slot in
      -priors.weights[slot] * priors.distance(slot, values[slot]) - gradient[slot]
    }
  }
}
