import CameraModel

/// A view without its distortion: its points in a plane, and the board's homography to it.
struct StartPlane {
  /// Camera from the plane's axes.
  var cameraFromPlane: RotationMatrix
  /// Board to plane.
  var homography: Homography

  /// nil where the points have no place in the plane, or lie on a line.
  ///
  /// - Parameter rays: As for `StartCurve.flatten`; afterwards the points' places in the plane.
  init?(
    _ points: StartPoints, _ view: Int, _ curve: StartCurve,
    rays: UnsafeMutablePointer<Double>
  ) {
    let count = points.count(view)
    guard let axes = curve.flatten(points, view, into: rays),
      let homography = Homography(
        count, from: points.board(view), to: (UnsafePointer(rays), UnsafePointer(rays + count)))
    else { return nil }
    cameraFromPlane = axes
    self.homography = homography
  }

  /// The mean square of the homography's misfit, relative to the mean square of the points' extent.
  func relativeMisfit(
    _ points: StartPoints, _ view: Int, rays: UnsafePointer<Double>
  ) -> Double {
    let count = points.count(view)
    let (bx, by) = points.board(view)
    let (x, y) = (rays, rays + count)
    var (squares, sumX, sumY, sumSquares) = (0.0, 0.0, 0.0, 0.0)
    var index = 0
    while index < count {
      guard let place = homography(SIMD2(bx[index], by[index])) else { return .infinity }
      let (dx, dy) = (place.x - x[index], place.y - y[index])
      squares += dx * dx + dy * dy
      sumX += x[index]
      sumY += y[index]
      sumSquares += x[index] * x[index] + y[index] * y[index]
      index += 1
    }
    let extent = sumSquares - (sumX * sumX + sumY * sumY) / Double(count)
    return extent > 0 ? squares / extent : .infinity
  }

  /// The board's pose before a camera with focal lengths `focal` in the plane's unit, and the mean square
  /// of the distance between where it shows the points and where they are; nil where a point would lie
  /// behind the camera.
  ///
  /// - Parameter isAngular: Whether distances are angles instead: far from a plane's centre they are
  ///   much smaller.
  func pose(
    _ points: StartPoints, _ view: Int, focal: SIMD2<Double>, isAngular: Bool = false,
    rays: UnsafePointer<Double>
  ) -> (pose: Pose, meanSquares: Double)? {
    guard let pose = homography.dividing(byX: focal.x, y: focal.y).pose else { return nil }
    let count = points.count(view)
    let (bx, by) = points.board(view)
    let (x, y) = (rays, rays + count)
    let (r0, r1, r2) = pose.rotation.rows
    let t = pose.translation
    var squares = 0.0
    var index = 0
    while index < count {
      let z = r2.x * bx[index] + r2.y * by[index] + t.z
      guard z > 0 else { return nil }
      let px = (r0.x * bx[index] + r0.y * by[index] + t.x) / z
      let py = (r1.x * bx[index] + r1.y * by[index] + t.y) / z
      let (dx, dy) = (focal.x * px - x[index], focal.y * py - y[index])
      let stretch = isAngular ? 1 + x[index] * x[index] + y[index] * y[index] : 1
      squares += (dx * dx + dy * dy) / (stretch * stretch)
      index += 1
    }
    return (
      Pose(
        rotation: (cameraFromPlane * pose.rotation).rotationVector,
        translation: cameraFromPlane * t), squares / Double(count)
    )
  }
}
