import CameraModel
import Glibc
import Locking

/// A guess at a camera without anything to begin with, and how well it explains the views.
///
/// Lengths in the image are in half diagonals, from the image's centre.
struct FirstCamera {
  /// The focal lengths.
  var focal: SIMD2<Double>
  /// How its lens bends.
  var curve: StartCurve
  /// The median over the views of the mean square distance between points and their images; not
  /// moved by a minority of wrong views.
  var score: Double
  /// What each view says, in the order of the points' views.
  var views: [(pose: Pose, meanSquares: Double)?]
}

/// Tries cameras on a handful of views.
struct FirstCameraSearch {
  let points: StartPoints
  /// The image's shorter and longer side, in half diagonals.
  let sides: (shorter: Double, longer: Double)
  /// The number of threads; the cameras do not depend on it.
  let jobs: Int

  /// No camera has a focal length outside this: fields of view of 136° (of a plane) and 6°.
  static func isPlausible(_ focal: Double, sides: (shorter: Double, longer: Double)) -> Bool {
    focal > 0.2 * sides.shorter && focal < 10 * sides.longer
  }

  /// Cameras behind a plane, the best first.
  ///
  /// First the distortion: lines are straightest with the right one, whatever the focal length. Then
  /// Zhang's closed form on the straightened views with the centre held at the image's, one and two
  /// focal lengths, and a ladder of focal lengths, which has an answer where the closed form has none
  /// (frontal views) or an absurd one. All are judged by the median view.
  func planes() -> [FirstCamera] {
    let curve = StartCurve.division(lambda: straightest())
    let planes = flattened(curve)
    let zhang = ZhangFocalLengths(planes.compactMap { $0?.homography })
    let focals = zhang.candidates + ladder(first: 0.25, step: 1.25, count: 17)
    var cameras = Parallel.map(focals.count, jobs: jobs) { judged(focals[$0], curve, planes) }
    cameras = cameras.filter { $0.score.isFinite }.sorted { $0.score < $1.score }
    return decided(cameras)
  }

  /// Cameras behind an angle, the best first: a coarse ladder of focal lengths, then steps between.
  func angles() -> [FirstCamera] {
    @Sendable func camera(_ focal: Double) -> FirstCamera {
      let curve = StartCurve.angle(focal: focal, k1: 0, k2: 0)
      return judged(SIMD2(repeating: 1), curve, flattened(curve))
    }
    func focal(_ camera: FirstCamera) -> Double {
      guard case .angle(let focal, _, _) = camera.curve else { return 1 }
      return focal
    }
    func order(_ cameras: [FirstCamera]) -> [FirstCamera] {
      cameras.filter { $0.score.isFinite }.sorted { $0.score < $1.score }
    }
    func cameras(_ focals: [Double]) -> [FirstCamera] {
      Parallel.map(focals.count, jobs: jobs) { camera(focals[$0]) }
    }
    let coarse = order(cameras(ladder(first: 0.12, step: 1.5, count: 9).map(\.x)))
    guard let best = coarse.first.map(focal) else { return [] }
    return order(coarse + cameras([best / 1.2, best * 1.2]))
  }

  /// Focal lengths in a geometric row, from a part of the longer side on.
  private func ladder(first: Double, step: Double, count: Int) -> [SIMD2<Double>] {
    (0..<count).map { SIMD2(repeating: first * sides.longer * pow(step, Double($0))) }
  }

  /// λ under which the homographies fit best.
  private func straightest() -> Double {
    let ladder = [-0.7, -0.55, -0.4, -0.25, -0.12, 0, 0.12]
    let scores = Parallel.map(ladder.count, jobs: jobs) { bentness(ladder[$0]) }
    guard let best = scores.indices.min(by: { scores[$0] < scores[$1] }), scores[best].isFinite
    else {
      return 0
    }
    guard best > 0, best < ladder.count - 1, scores[best - 1].isFinite, scores[best + 1].isFinite
    else { return ladder[best] }
    // The vertex of the parabola through the best and its neighbours.
    let (a, b) = (ladder[best - 1] - ladder[best], ladder[best + 1] - ladder[best])
    let (fa, fb) = (scores[best - 1] - scores[best], scores[best + 1] - scores[best])
    let curvature = (fa / a - fb / b) / (a - b)
    guard curvature > 0 else { return ladder[best] }
    let slope = fa / a - curvature * a
    return ladder[best] + max(a / 2, min(b / 2, -slope / (2 * curvature)))
  }

  /// The median relative misfit of the homographies.
  private func bentness(_ lambda: Double) -> Double {
    let curve = StartCurve.division(lambda: lambda)
    let misfits = withRays { rays in
      points.views.indices.map { view in
        StartPlane(points, view, curve, rays: rays).map {
          $0.relativeMisfit(points, view, rays: rays)
        } ?? .infinity
      }
    }
    return median(misfits) ?? .infinity
  }

  private func flattened(_ curve: StartCurve) -> [StartPlane?] {
    withRays { rays in points.views.indices.map { StartPlane(points, $0, curve, rays: rays) } }
  }

  /// Room for three numbers for each point of the largest view.
  private func withRays<Element>(
    _ body: (UnsafeMutablePointer<Double>) -> [Element]
  ) -> [Element] {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 3 * max(1, points.mostPoints)) {
      $0.baseAddress.map(body) ?? []
    }
  }

  private func judged(
    _ focal: SIMD2<Double>, _ curve: StartCurve, _ planes: [StartPlane?]
  ) -> FirstCamera {
    var unit = 1.0
    var isAngular = false
    if case .angle(let focal, _, _) = curve { (unit, isAngular) = (focal * focal, true) }
    let views = withRays { rays in
      planes.enumerated().map { view, plane -> (pose: Pose, meanSquares: Double)? in
        // The scratch holds the last view's points only.
        guard let plane, curve.flatten(points, view, into: rays) != nil,
          let seen = plane.pose(points, view, focal: focal, isAngular: isAngular, rays: rays)
        else { return nil }
        return (seen.pose, seen.meanSquares * unit)
      }
    }
    let score = median(views.map { $0?.meanSquares ?? .infinity }) ?? .infinity
    return FirstCamera(focal: focal, curve: curve, score: score, views: views)
  }

  /// Where many focal lengths explain the views equally well, as frontal views do, the middle one is
  /// least wrong.
  private func decided(_ cameras: [FirstCamera]) -> [FirstCamera] {
    guard let best = cameras.first else { return cameras }
    let equal = cameras.filter { $0.score <= 1.02 * best.score }.sorted { $0.focal.x < $1.focal.x }
    guard let low = equal.first, let high = equal.last, high.focal.x > 2.2 * low.focal.x else {
      return cameras
    }
    return [equal[equal.count / 2]] + cameras
  }
}
