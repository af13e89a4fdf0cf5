package import CameraModel
internal import Glibc
internal import OpenCVBridge

extension Pose {
  /// The pose of a flat board that a known camera sees, from nothing but the points.
  ///
  /// Works for every lens model, also beyond 90° from the axis: the pixels become rays, the rays are
  /// turned so that their mean is the axis of an ideal camera, and that camera's pose is found by
  /// cv::solvePnP (IPPE: Collins and Bartoli, "Infinitesimal plane-based pose estimation", IJCV 109,
  /// 2014; then iterated). A least-squares fit in pixels of all points ends it.
  ///
  /// - Parameter view: Board points with z = 0; points that the camera can't see through are left out.
  /// - Throws: `noUsableView` if fewer than 4 pixels have a ray or no pose exists; `exception`.
  package init(of view: BoardView, seenBy camera: CameraParameters) throws(OpenCVError) {
    let start = try Pose(startOf: view, seenBy: camera)
    self = start.refined(for: view, seenBy: camera)
  }

  /// The same without the final fit in pixels: some pixels off where perspective is strong.
  init(startOf view: BoardView, seenBy camera: CameraParameters) throws(OpenCVError) {
    let operation = "finding the pose of a board"
    var rays: [SIMD3<Double>] = []
    var board: [Double] = []
    for (point, pixel) in zip(view.boardPoints, view.pixels) {
      guard let ray = camera.unproject(pixel) else { continue }
      rays.append(ray)
      board += [point.x, point.y, point.z]
    }
    let sum = rays.reduce(SIMD3<Double>(), +)
    let length = (sum * sum).sum().squareRoot()
    guard rays.count >= 4, length > 0.1 * Double(rays.count) else {
      throw OpenCVError(
        code: .noUsableView, operation: operation,
        message: "only \(rays.count) of \(view.pixels.count) points have a ray that can be used")
    }
    // Rows of the rotation that takes the mean ray to the z axis.
    let forward = sum / length
    let helper: SIMD3<Double> = abs(forward.y) < 0.9 ? SIMD3(0, 1, 0) : SIMD3(1, 0, 0)
    let side = cross(helper, forward)
    let right = side / (side * side).sum().squareRoot()
    let down = cross(forward, right)
    var image: [Double] = []
    for ray in rays {
      let depth = (forward * ray).sum()
      guard depth > 0.02 else {
        throw OpenCVError(
          code: .noUsableView, operation: operation,
          message: "the board spans more than half of all directions")
      }
      image += [(right * ray).sum() / depth, (down * ray).sum() / depth]
    }
    var pose = [Double](repeating: 0, count: 6)
    let (status, message) = withBridgeMessage { text, size in
      ocvSolvePlanarPose(board, image, rays.count, &pose, text, size)
    }
    guard status == ocvStatusOK, pose.allSatisfy(\.isFinite) else {
      throw status == ocvStatusOK || status == ocvStatusNotFound
        ? OpenCVError(code: .noUsableView, operation: operation, message: "no pose fits")
        : OpenCVError(status: status, operation: operation, message: message)
    }
    // Back from the turned camera: R = Tᵀ·R', t = Tᵀ·t'.
    let turned = RotationMatrix(rotationVector: SIMD3(pose[0], pose[1], pose[2]))
    let back = RotationMatrix(
      rows: SIMD3(right.x, down.x, forward.x), SIMD3(right.y, down.y, forward.y),
      SIMD3(right.z, down.z, forward.z))
    self.init(
      rotation: (back * turned).rotationVector,
      translation: back * SIMD3(pose[3], pose[4], pose[5]))
  }
}
