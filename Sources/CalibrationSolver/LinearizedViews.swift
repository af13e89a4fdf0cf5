import CameraModel
import Locking

/// Parameters, poses, and all that one pass over the points tells at them.
///
/// Sendable because in a pass each view's numbers are written by the one thread that has the view,
/// and the threads are joined before anything is read; between passes one thread owns the object.
final class LinearizedViews: @unchecked Sendable {
  let packed: PackedViews
  let lensModel: LensModel
  let parameterCount: Int
  /// What is estimated.
  let free: FreeParameters
  /// The number of slots.
  let freeCount: Int
  /// The side of a view's block: slots, six of the pose, the residual.
  let width: Int
  let columns: JacobianColumns
  /// The board's corner field where it is not flat.
  let bend: BentPoints?
  /// All parameters in the order of `LensModel.parameterNames`, then a and b of the board's bend.
  let parameters: UnsafeMutablePointer<Double>
  /// R row by row and t: 12 numbers a view.
  let poses: UnsafeMutablePointer<Double>
  /// `width`² numbers a view, see `ViewAccumulation`.
  let blocks: UnsafeMutablePointer<Double>
  /// Projected − seen, two numbers a point.
  let residuals: UnsafeMutablePointer<Double>
  /// Σ weight·r² over all used points.
  private(set) var cost = 0.0

  private let seesAll: UnsafeMutablePointer<Bool>

  init(_ packed: PackedViews, problem: SolverProblem) {
    self.packed = packed
    lensModel = problem.camera.lensModel
    let start = problem.camera.parameterVector
    free = problem.freeParameters
    parameterCount = start.count
    freeCount = free.slots.count
    width = freeCount + 7
    bend = problem.shape.map(BentPoints.init)
    let views = packed.viewCount
    columns = JacobianColumns(free, parameterCount: parameterCount)
    parameters = .allocate(capacity: parameterCount + 2)
    poses = .allocate(capacity: max(1, 12 * views))
    blocks = .allocate(capacity: max(1, views * width * width))
    residuals = .allocate(capacity: max(1, 2 * (packed.offsets.last ?? 0)))
    seesAll = .allocate(capacity: max(1, views))
    for (index, value) in start.enumerated() { parameters[index] = value }
    let sagitta = problem.shape?.bend.sagitta ?? SIMD2()
    (parameters[parameterCount], parameters[parameterCount + 1]) = (sagitta.x, sagitta.y)
    for (index, pose) in problem.poses.enumerated() { setPose(pose, ofView: index) }
  }

  deinit {
    parameters.deallocate()
    poses.deallocate()
    blocks.deallocate()
    residuals.deallocate()
    seesAll.deallocate()
  }

  /// Computes residuals and blocks of all views and the cost.
  ///
  /// - Parameter prepare: Is called with each view before it is looked at, by the thread that does so.
  /// - Returns: The first view with a used point that the camera can't see; nil when all is well.
  func evaluate(jobs: Int, _ prepare: (@Sendable (Int) -> Void)? = nil) -> Int? {
    Parallel.forEach(packed.viewCount, jobs: packed.jobs(jobs)) { view in
      prepare?(view)
      self.evaluateView(view)
    }
    var sum = 0.0
    for view in 0..<packed.viewCount where packed.isActive[view] {
      guard seesAll[view] else { return view }
      sum += block(view)[width * width - 1]
    }
    guard sum.isFinite else { return 0 }
    cost = sum
    return nil
  }

  /// The block of a view.
  func block(_ view: Int) -> UnsafeMutablePointer<Double> { blocks + view * width * width }

  private func evaluateView(_ view: Int) {
    // Each model's formulas become one loop of its own.
    seesAll[view] =
      switch lensModel {
      case .pinhole: evaluateView(view, PinholeLoop.self)
      case .rational: evaluateView(view, RationalLoop.self)
      case .fisheye: evaluateView(view, KannalaBrandtLoop.self)
      case .spline: evaluateView(view, SplineLoop.self)
      }
  }

  private func evaluateView<Kernel: InnerKernel>(_ view: Int, _ kernel: Kernel.Type) -> Bool {
    let first = packed.offsets[view]
    // No closure around the loop: it would not be specialised for the kernel.
    let scratch = UnsafeMutablePointer<Double>.allocate(
      capacity: ViewAccumulation<Kernel>.scratchCount)
    defer { scratch.deallocate() }
    return ViewAccumulation<Kernel>(
      parameters: parameters, columns: columns, bend: bend, scratch: scratch
    ).accumulate(
      points: packed.points + first * PackedViews.stride,
      count: packed.offsets[view + 1] - first, pose: poses + 12 * view, block: block(view),
      residuals: residuals + 2 * first)
  }
}

extension LinearizedViews {
  /// The rotation of a view's pose.
  func rotation(ofView view: Int) -> RotationMatrix {
    let p = poses + 12 * view
    return RotationMatrix(
      rows: SIMD3(p[0], p[1], p[2]), SIMD3(p[3], p[4], p[5]), SIMD3(p[6], p[7], p[8]))
  }

  /// The translation of a view's pose.
  func translation(ofView view: Int) -> SIMD3<Double> {
    let p = poses + 12 * view
    return SIMD3(p[9], p[10], p[11])
  }

  /// The pose of a view.
  func pose(ofView view: Int) -> Pose {
    Pose(
      rotation: rotation(ofView: view).rotationVector, translation: translation(ofView: view))
  }

  func setPose(_ pose: Pose, ofView view: Int) {
    setPose(RotationMatrix(rotationVector: pose.rotation), pose.translation, ofView: view)
  }

  func setPose(_ rotation: RotationMatrix, _ translation: SIMD3<Double>, ofView view: Int) {
    let p = poses + 12 * view
    let (r0, r1, r2) = rotation.rows
    (p[0], p[1], p[2]) = (r0.x, r0.y, r0.z)
    (p[3], p[4], p[5]) = (r1.x, r1.y, r1.z)
    (p[6], p[7], p[8]) = (r2.x, r2.y, r2.z)
    (p[9], p[10], p[11]) = (translation.x, translation.y, translation.z)
  }

  /// All parameters as a camera.
  func camera(resolution: Resolution) -> CameraParameters {
    CameraParameters(
      resolution: resolution, lensModel: lensModel,
      parameterVector: (0..<parameterCount).map { parameters[$0] })
  }

  /// Projected − seen for each point of a view, used or not; infinite where there is no projection.
  func residuals(ofView view: Int) -> [SIMD2<Double>] {
    (packed.offsets[view]..<packed.offsets[view + 1]).map { point in
      let r = SIMD2(residuals[2 * point], residuals[2 * point + 1])
      return r.isFinite ? r : SIMD2(.infinity, .infinity)
    }
  }

  /// `cost` and that of priors, px².
  func cost(with priors: WeighedPriors) -> Double {
    cost + priors.cost { parameters[free.first($0)] }
  }

  /// a and b of the board's bend.
  var sagitta: SIMD2<Double> { SIMD2(parameters[parameterCount], parameters[parameterCount + 1]) }
}
