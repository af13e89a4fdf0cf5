package import CameraModel

/// Where a board is, seen by a camera that is known.
package enum PoseEstimation {
  /// A pose and what is left of the residuals there.
  package struct Fit: Sendable {
    /// cameraFromBoard.
    package var pose: Pose
    /// Projected − seen for each point of the view, used or not, pixels.
    package var residuals: [SIMD2<Double>]
    /// Σ‖residual‖² over the used points, weighted, px².
    package var squares: Double
  }

  /// The pose with the least squares of residuals, started from `pose`.
  ///
  /// - Parameter bend: The shape of the board; nil where its points lie where they are said to lie.
  /// - Throws: As `BundleAdjustment.solve`.
  package static func refine(
    _ view: ObservedView, camera: CameraParameters, bend: BoardBend? = nil, from pose: Pose,
    tolerance: Double = 1e-8
  ) throws(SolverError) -> Fit {
    let fixed = camera.lensModel.parameterNames.map { _ in false }
    let solution = try BundleAdjustment.solve(
      SolverProblem(
        camera: camera, views: [view], poses: [pose], free: fixed,
        shape: bend.map { BoardShape($0, isFree: false) }),
      options: .init(tolerance: tolerance))
    return Fit(
      pose: solution.poses[0], residuals: solution.residuals[0],
      squares: view.squares(solution.residuals[0]))
  }

  /// A first pose of a flat board from its used points, by a homography between the board's plane and
  /// the rays that its pixels see.
  ///
  /// The rays are first turned so that their mean is the axis; a board may then lie anywhere in a
  /// fisheye's view, as long as it spans less than 180°. Source: Zhang, "A flexible new technique for
  /// camera calibration", IEEE PAMI 22 (2000), for the step from homography to pose.
  ///
  /// - Throws: `tooFewPoints` where fewer than four points see a direction, `singular` where the points
  ///   lie on a line.
  package static func start(
    _ view: ObservedView, camera: CameraParameters
  ) throws(SolverError) -> Pose {
    var board: [SIMD2<Double>] = []
    var rays: [SIMD3<Double>] = []
    for (index, pixel) in view.pixels.enumerated() where view.isUsed[index] {
      guard let ray = camera.unproject(pixel) else { continue }
      board.append(SIMD2(view.boardPoints[index].x, view.boardPoints[index].y))
      rays.append(ray)
    }
    guard rays.count >= 4 else {
      throw SolverError(
        .tooFewPoints, subject: "view",
        message: "\(rays.count) points whose pixels see a direction; a pose needs at least 4")
    }
    let cameraFromTurned = RotationMatrix(turningZTowards: rays.reduce(SIMD3()) { $0 + $1 })
    let columns = cameraFromTurned.transposed
    var image: [SIMD2<Double>] = []
    for ray in rays {
      let turned = columns * ray
      guard turned.z > 1e-6 else {
        throw SolverError(
          .pointNotVisible, subject: "view", message: "its points span 180° or more")
      }
      image.append(SIMD2(turned.x / turned.z, turned.y / turned.z))
    }
    guard let homography = Homography(from: board, to: image), let pose = homography.pose else {
      throw SolverError(
        .singular, subject: "view",
        message: "its points lie on a line, or do not fit a flat board at all")
    }
    return Pose(
      rotation: (cameraFromTurned * pose.rotation).rotationVector,
      translation: cameraFromTurned * pose.translation)
  }
}

extension RotationMatrix {
  /// A rotation that takes the z axis to `direction`.
  init(turningZTowards direction: SIMD3<Double>) {
    let length = (direction * direction).sum().squareRoot()
    guard length > 0 else {
      self.init(rotationVector: SIMD3())
      return
    }
    let z = direction / length
    let helper = abs(z.x) < 0.9 ? SIMD3(1.0, 0, 0) : SIMD3(0, 1.0, 0)
    var x = helper - z * (helper * z).sum()
    x /= (x * x).sum().squareRoot()
    let y = SIMD3(z.y * x.z - z.z * x.y, z.z * x.x - z.x * x.z, z.x * x.y - z.y * x.x)
    self.init(
      rows: SIMD3(x.x, y.x, z.x), SIMD3(x.y, y.y, z.y), SIMD3(x.z, y.z, z.z))
  }

  var transposed: RotationMatrix {
    let (a, b, c) = rows
    return RotationMatrix(
      rows: SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
  }
}
