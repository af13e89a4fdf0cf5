package import CameraModel
import Locking

/// A camera and a pose of the board in every view, from nothing but the points: where least squares
/// begin.
package struct CameraStart: Sendable {
  /// A first camera of the lens model that was asked for, with two radial coefficients; a rational one
  /// whose denominator is free with all six.
  package var camera: CameraParameters
  /// The pose of each view, cameraFromBoard; nil where none was found.
  package var poses: [Pose?]

  /// The number of views that the camera rests on: more would hardly make a better start.
  static let viewCount = 12
  /// The number of guesses that are followed where the first does not lead to a sound camera.
  static let attempts = 6
  /// The same where so few views leave more than one sound camera: then the best counts.
  static let attemptsWithFewViews = 3
  static let fewViews = 5

  /// Finds a start.
  ///
  /// Guesses are ranked on a few of the views (`FirstCameraSearch`); a short least-squares fit makes the
  /// best a camera. Where that is no sound one (an error above a pixel, an absurd focal length,
  /// distortion that folds over) others are tried.
  ///
  /// - Parameters:
  ///   - views: Views of a flat board; its z is not looked at.
  ///   - sample: The views to prefer, indices into `views`; nil for all.
  ///   - free: The parameters that will be estimated, in the order of `lensModel.parameterNames`; nil
  ///     for focal lengths, centre and two radial coefficients.
  ///   - jobs: The number of threads; the result does not depend on it.
  /// - Throws: `tooFewPoints` where no view has four used points, `singular` where no camera explains
  ///   them.
  package init(
    _ views: [ObservedView], sample: [Int]? = nil, resolution: Resolution, lensModel: LensModel,
    free: [Bool]? = nil, jobs: Int = 1
  ) throws(SolverError) {
    let usable = (sample ?? Array(views.indices)).filter { views[$0].usedCount >= 4 }
    guard !usable.isEmpty else {
      throw SolverError(
        .tooFewPoints, subject: "views", message: "none of them has four points to begin with")
    }
    let step = (usable.count + Self.viewCount - 1) / Self.viewCount
    var few = stride(from: 0, to: usable.count, by: step).map { usable[$0] }
    if Self.hasDenominator(lensModel, free) {
      // What bends most lies farthest out, and beyond the last point there may be a pole.
      let far = usable.filter { !few.contains($0) }
        .map { (view: $0, reach: Self.reach(views[$0], resolution)) }
        .sorted { $0.reach > $1.reach }
      few = (few + far.prefix(Self.viewCount).map(\.view)).sorted()
    }
    // A spline begins as the fisheye lens that it extends.
    let fit = StartFit(
      views, few, resolution: resolution, lensModel: lensModel == .spline ? .fisheye : lensModel,
      jobs: jobs)
    guard let best = fit.run(free: free) else {
      throw SolverError(
        .singular, subject: "views",
        message: "no focal length explains any of the \(usable.count) views")
    }
    camera = best.camera
    poses =
      best.isRational
      ? Parallel.map(views.count, jobs: jobs) {
        try? PoseEstimation.start(views[$0], camera: best.camera)
      }
      : Self.poses(views, camera: best.camera, jobs: jobs)
    for (view, pose) in zip(best.views, best.poses) { poses[view] = pose }
    if lensModel == .spline {
      camera = camera.splined(thetaMax: .pi).reaching(views, poses: poses)
    }
  }

  /// Whether coefficients of a rational model's denominator are estimated.
  static func hasDenominator(_ lensModel: LensModel, _ free: [Bool]?) -> Bool {
    guard lensModel == .rational, let free else { return false }
    return free[9...].contains(true)
  }

  /// The square of the distance of a view's farthest used point from the image's centre.
  private static func reach(_ view: ObservedView, _ resolution: Resolution) -> Double {
    return zip(view.pixels, view.isUsed).reduce(0) { most, point in
      let d = point.0 - resolution.middle
      return point.1 ? max(most, (d * d).sum()) : most
    }
  }

  /// The pose of every view before a camera whose distortion is k1 and k2.
  private static func poses(
    _ views: [ObservedView], camera: CameraParameters, jobs: Int
  ) -> [Pose?] {
    let k = camera.intrinsics
    let (k1, k2) = (camera.distortion[0], camera.distortion[1])
    let isFisheye = camera.lensModel == .fisheye
    let curve = isFisheye ? StartCurve.angle(focal: 1, k1: k1, k2: k2) : .plane(k1: k1, k2: k2)
    return Parallel.map(views.count, jobs: views.count < 50 ? 1 : jobs) { view in
      let points = StartPoints(
        views, [view], origin: SIMD2(k.cx, k.cy), unit: SIMD2(k.fx, k.fy))
      guard points.count(0) >= 4 else { return nil }
      let pose = withUnsafeTemporaryAllocation(
        of: Double.self, capacity: 3 * points.mostPoints
      ) { buffer in
        buffer.baseAddress.flatMap { rays in
          StartPlane(points, 0, curve, rays: rays)?.pose(
            points, 0, focal: SIMD2(repeating: 1), rays: rays)?.pose
        }
      }
      // Where some points lie beyond the end of the first camera's curve, the others tell.
      return pose ?? (try? PoseEstimation.start(views[view], camera: camera))
    }
  }
}
