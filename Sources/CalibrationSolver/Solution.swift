package import CameraModel
import Locking

/// A minimum, its residuals, and the linear picture of its surroundings.
package struct Solution: Sendable {
  /// The solved camera.
  package var camera: CameraParameters
  /// The pose of each view, cameraFromBoard; the start pose where a view has no used point.
  package var poses: [Pose]
  /// Projected − seen for each point of each view, used or not, pixels; NaN never stands here: where
  /// a point that is not used has no projection, the residual is infinite.
  package var residuals: [[SIMD2<Double>]]
  /// √(Σ‖residual‖²/points) over the used points: OpenCV's and mrcal's figure, pixels.
  package var rms: Double
  /// s: √(Σr²/degrees of freedom), per axis, pixels.
  package var sigma: Double
  /// Which parameters were estimated, in the order of `camera.lensModel.parameterNames`.
  package var free: [Bool]
  /// What was estimated, and what was one.
  package var freeParameters: FreeParameters
  /// The shape of the board, estimated or given; nil where its points were taken as they are.
  package var bend: BoardBend?
  /// 2·points − free shared parameters − 6·views.
  package var degreesOfFreedom: Int
  /// The number of passes over the points.
  package var iterations: Int
  /// Whether the search ended at a minimum, and not by the bound on iterations.
  package var converged: Bool
  /// The normal equations at the minimum.
  package var linearization: Linearization

  /// The names of the estimated parameters of the camera, in order.
  package var freeNames: [String] {
    zip(camera.lensModel.parameterNames, free).compactMap { $1 ? $0 : nil }
  }

  /// The camera's parameters that each of its slots moves.
  package var cameraSlots: ArraySlice<[Int]> {
    freeParameters.slots.prefix(freeParameters.cameraCount)
  }

  /// A name for each of the camera's slots: of its first parameter.
  package var slotNames: [String] { cameraSlots.map { camera.lensModel.parameterNames[$0[0]] } }

  /// s², px².
  package var variance: Double { sigma * sigma }
}

extension Solution {
  init(
    problem: SolverProblem, at minimum: LinearizedViews, reduced: ReducedViews,
    priors: WeighedPriors, degreesOfFreedom: Int, iterations: Int,
    converged: Bool, jobs: Int
  ) throws(SolverError) {
    if let view = reduced.reduce(minimum, damping: 0, jobs: jobs) {
      throw SolverError(
        .singular, view: view,
        message: "its points do not determine where the board is; leave the view out")
    }
    camera = minimum.camera(resolution: problem.camera.resolution)
    let packed = minimum.packed
    let starts = problem.poses
    let views = Parallel.map(packed.viewCount, jobs: packed.jobs(jobs)) { view in
      let residuals = minimum.residuals(ofView: view)
      var squares = 0.0
      for (point, r) in zip(packed.offsets[view]..., residuals)
      where packed.points[point * PackedViews.stride + 5] > 0 {
        squares += (r * r).sum()
      }
      let pose = packed.isActive[view] ? minimum.pose(ofView: view) : starts[view]
      return (pose: pose, residuals: residuals, squares: squares)
    }
    poses = views.map(\.pose)
    residuals = views.map(\.residuals)
    let squares = views.reduce(0) { $0 + $1.squares }
    rms = (squares / Double(packed.usedPointCount)).squareRoot()
    let weighted = minimum.cost(with: priors)
    sigma = (weighted / Double(degreesOfFreedom) * problem.varianceCorrection).squareRoot()
    free = problem.free
    freeParameters = minimum.free
    bend = problem.shape?.bend
    bend?.sagitta = minimum.sagitta
    self.degreesOfFreedom = degreesOfFreedom
    self.iterations = iterations
    self.converged = converged
    linearization = Linearization(
      minimum, reduced: reduced, priors: priors, jobs: jobs)
  }
}
