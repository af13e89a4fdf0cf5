import CalibrationSolver
import CameraModel
import Testing

@Suite("pose estimation")
struct PoseEstimationTests {
  @Test("finds every pose from pixels alone", arguments: TestCamera.all)
  func start(camera: CameraParameters) throws {
    let truth = SyntheticViews(camera: camera, views: 30, tilt: 60, seed: 11)
    for (view, pose) in zip(truth.observed(sigma: 0, seed: 0), truth.poses) {
      let start = try PoseEstimation.start(view, camera: camera)
      // Exact pixels give the exact homography.
      #expect(distance(start, pose, truth.boardPoints) < 1e-7)
      let refined = try PoseEstimation.refine(view, camera: camera, from: start)
      #expect(distance(refined.pose, pose, truth.boardPoints) < 1e-9)
    }
  }

  @Test("starts near enough for the refinement when pixels are noisy", arguments: TestCamera.all)
  func noisy(camera: CameraParameters) throws {
    let truth = SyntheticViews(camera: camera, views: 30, tilt: 60, seed: 12)
    for view in truth.observed(sigma: 0.5, seed: 1) {
      let start = try PoseEstimation.start(view, camera: camera)
      let fit = try PoseEstimation.refine(view, camera: camera, from: start)
      let sigma = (fit.squares / (2 * 24 - 6)).squareRoot()
      // One standard error is 11 %; five of them.
      #expect(abs(sigma / 0.5 - 1) < 0.55)
    }
  }

  @Test("refuses points on a line and fewer than four")
  func degenerate() {
    let camera = TestCamera.pinhole
    let line = (0..<6).map { SIMD3(Double($0) * 0.03, 0, 0) }
    let pose = Pose(rotation: SIMD3(0.1, 0.2, 0), translation: SIMD3(-0.05, 0, 0.5))
    let pixels = line.compactMap { camera.project(pose($0)) }
    let view = ObservedView(boardPoints: line, pixels: pixels)
    #expect(throws: SolverError.self) { try PoseEstimation.start(view, camera: camera) }
    #expect(throws: SolverError.self) {
      try PoseEstimation.refine(view, camera: camera, from: pose)
    }
    let three = ObservedView(
      boardPoints: Array(line.prefix(3)), pixels: Array(pixels.prefix(3)))
    #expect(throws: SolverError.self) { try PoseEstimation.start(three, camera: camera) }
  }

  /// The largest distance of a board point between two poses, metres.
  private func distance(_ a: Pose, _ b: Pose, _ points: [SIMD3<Double>]) -> Double {
    points.map { point in
      let d = a(point) - b(point)
      return (d * d).sum().squareRoot()
    }.max() ?? 0
  }
}
