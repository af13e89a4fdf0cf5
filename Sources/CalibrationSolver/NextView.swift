package import CameraModel

/// What one more view would do for a calibration, before it is taken.
///
/// V-optimal design: the measure is the trace of the projection's covariance averaged over the image,
/// tr(C·G), C = (H + Σ H_candidate)⁻¹ and G the mean over the grid of SᵀS, S = J_q + T·M as in
/// `ProjectionUncertainty`; the candidate has a say in C and in the motion M. Source: Atkinson, Donev
/// and Tobias, "Optimum Experimental Designs, with SAS" (2007), chapter 10.
package struct NextView: Sendable {
  private let problem: SolverProblem
  private let hessian: [Double]
  private let motion: MotionSums
  private let moments: SensitivityMoments
  private let present: Double

  /// Prepares for the views after `solution`, the solution of `problem`, priors included.
  ///
  /// nil where the solution says nothing of some parameter.
  package init?(after solution: Solution, of problem: SolverProblem) {
    let count = solution.linearization.freeCount
    motion = solution.linearization.motion
    guard count > 0, let alignment = solution.linearization.alignment,
      let moments = SensitivityMoments(
        solution, at: ProjectionUncertainty.cellCentres(of: solution.camera.resolution))
    else { return nil }
    self.moments = moments
    hessian = solution.linearization.hessian
    self.problem = problem.started(from: solution)
    guard let present = Self.trace(hessian, moments.spread(alignment), count) else { return nil }
    self.present = present
  }

  /// What is left of the mean variance after a view of `points` at `pose`: 1 for a view that tells
  /// nothing, near 0 for one that tells nearly all; nil where the camera can't see every point.
  ///
  /// - Parameter weight: The information of a corner relative to those of the views at hand.
  package func share(
    leftBy points: [SIMD3<Double>], at pose: Pose, weight: Double
  ) -> Double? {
    var candidate = problem
    candidate.views = [
      ObservedView(boardPoints: points, pixels: points.map { _ in SIMD2<Double>() })
    ]
    candidate.poses = [pose]
    let linearized = LinearizedViews(PackedViews(candidate.views), problem: candidate)
    guard linearized.evaluate(jobs: 1) == nil else { return nil }
    let count = linearized.freeCount
    let reduced = ReducedViews(viewCount: 1, freeCount: count)
    guard reduced.reduce(linearized, damping: 0, jobs: 1) == nil else { return nil }
    let block = reduced.matrix(0)
    var sum = hessian
    for index in sum.indices { sum[index] += weight * block[index] }
    let seen = MotionSums(linearized, active: [0])
    guard let alignment = motion.adding(seen, weight: weight).alignment else { return nil }
    return Self.trace(sum, moments.spread(alignment), count).map { $0 / present }
  }

  /// tr(H⁻¹·G); nil where H has no inverse.
  private static func trace(_ hessian: [Double], _ spread: [Double], _ count: Int) -> Double? {
    guard let inverse = SmallMatrix.inverse(hessian, count) else { return nil }
    // The bend of the board, where it is estimated, moves no direction: only the camera's part counts.
    let camera = Int(Double(spread.count).squareRoot())
    var sum = 0.0
    for i in 0..<camera {
      for j in 0..<camera { sum += inverse[i * count + j] * spread[i * camera + j] }
    }
    return sum.isFinite && sum > 0 ? sum : nil
  }
}
