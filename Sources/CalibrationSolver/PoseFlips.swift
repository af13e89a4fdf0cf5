import CameraModel
import Glibc

/// The other pose of a flat board: tilted the other way, its image is nearly the same.
///
/// The farther away a board is for its size, the less perspective tells the two apart, and least squares
/// that start at the wrong one stay there. Source: Schweighofer and Pinz, "Robust pose estimation from a
/// planar target", IEEE PAMI 28 (2006).
enum PoseFlips {
  /// The pose mirrored at the line of sight to the board's middle.
  static func flipped(_ pose: Pose, of view: ObservedView) -> Pose? {
    var centre = SIMD3<Double>()
    for (point, isUsed) in zip(view.boardPoints, view.isUsed) where isUsed { centre += point }
    centre /= Double(max(1, view.usedCount))
    let rotation = RotationMatrix(rotationVector: pose.rotation)
    let middle = rotation * centre + pose.translation
    let distance = (middle * middle).sum().squareRoot()
    guard distance > 0 else { return nil }
    let sight = middle / distance
    let normal = SIMD3(rotation.rows.0.z, rotation.rows.1.z, rotation.rows.2.z)
    // The turn that takes the normal to its mirror image: about the axis across both, by twice the
    // angle between normal and line of sight.
    let axis = SIMD3(
      normal.y * sight.z - normal.z * sight.y, normal.z * sight.x - normal.x * sight.z,
      normal.x * sight.y - normal.y * sight.x)
    let sine = (axis * axis).sum().squareRoot()
    // Within a few degrees the two are one.
    guard sine > 0.02 else { return nil }
    let cosine = (normal * sight).sum()
    // Half a turn more where the normal points at the camera.
    let angle = cosine > 0 ? atan2(sine, cosine) : -atan2(sine, -cosine)
    let turned = RotationMatrix(rotationVector: axis * (2 * angle / sine)) * rotation
    return Pose(rotation: turned.rotationVector, translation: middle - turned * centre)
  }

  /// The problem with the other pose where that explains a view better, started from `solution`; nil
  /// where none does.
  ///
  /// Only views that are far worse than the median are looked at: in a solution one at the wrong pose is.
  static func mended(
    _ problem: SolverProblem, _ solution: Solution
  ) -> SolverProblem? {
    let active = problem.activeViews
    let means = active.map { view in
      problem.views[view].squares(solution.residuals[view])
        / Double(problem.views[view].usedCount)
    }
    guard let centre = median(means) else { return nil }
    var next = problem.started(from: solution)
    var isMended = false
    for (view, mean) in zip(active, means) {
      let observed = problem.views[view]
      guard isSuspicious(mean, beside: centre),
        let fit = better(
          than: solution.poses[view], squares: mean * Double(observed.usedCount), of: observed,
          camera: solution.camera, bend: solution.bend)
      else { continue }
      next.poses[view] = fit.pose
      isMended = true
    }
    return isMended ? next : nil
  }

  /// Whether a view is so much worse than usual that its pose may be the wrong one.
  ///
  /// - Parameters:
  ///   - mean: The mean of its squared residuals, px².
  ///   - usual: What that is in other views.
  static func isSuspicious(_ mean: Double, beside usual: Double) -> Bool { mean > 2.25 * usual }

  /// The other pose, refined, where it explains the view better than `squares`, px², says of this one.
  static func better(
    than pose: Pose, squares: Double, of view: ObservedView, camera: CameraParameters,
    bend: BoardBend?
  ) -> PoseEstimation.Fit? {
    guard let other = flipped(pose, of: view),
      let fit = try? PoseEstimation.refine(view, camera: camera, bend: bend, from: other),
      fit.squares < 0.8 * squares
    else { return nil }
    return fit
  }
}
