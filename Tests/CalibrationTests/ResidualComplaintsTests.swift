import BoardRendering
import CalibrationSolver
import CameraModel
import Testing

@testable import Calibration

@Suite("Patterns in the residuals")
struct ResidualComplaintsTests {
  /// The solution of views of a camera, with other coefficients free than it has, and its patterns.
  private func patterns(
    distortion: [Double], free: Int, parity: Double = 0
  ) throws -> (patterns: ResidualPatterns, sigma: Double) {
    let example = CameraParameters.example(.pinhole)
    let camera = CameraParameters(
      resolution: example.resolution, lensModel: .pinhole, intrinsics: example.intrinsics,
      distortion: distortion)
    let truth = try SyntheticViews(
      camera: camera, board: PrintedBoard(columns: 9, rows: 6), count: 20, seed: 71)
    let views = truth.noisy(sigma: 0.05, seed: 71).map { view in
      ObservedView(
        boardPoints: view.boardPoints,
        pixels: view.pixels.enumerated().map { point, pixel in
          pixel + SIMD2((point % 9 + point / 9) % 2 == 0 ? parity : -parity, 0)
        })
    }
    let start = try CameraStart(
      views, resolution: camera.resolution, lensModel: .pinhole, jobs: 1)
    let problem = SolverProblem(
      camera: CameraParameters(
        resolution: camera.resolution, lensModel: .pinhole, intrinsics: start.camera.intrinsics,
        distortion: []),
      views: views, poses: start.poses.compactMap { $0 },
      free: (0..<9).map { $0 < 4 + free })
    let solution = try BundleAdjustment.solve(problem)
    return (ResidualPatterns(problem, solution: solution), solution.sigma)
  }

  @Test("are no reason for a word where the model is the camera's")
  func none() throws {
    let seen = try patterns(distortion: [-0.25, 0.08, 0, 0, 0], free: 4)
    #expect(seen.patterns.complaints(sigma: seen.sigma) == [])
  }

  @Test("name a lens model that is too simple")
  func waves() throws {
    let seen = try patterns(distortion: [-0.35, 0.2, 0, 0, -0.05], free: 1)
    let complaints = seen.patterns.complaints(sigma: seen.sigma)
    #expect(complaints.count == 1)
    #expect(complaints.first?.hasPrefix("Try another lens model") == true, "\(complaints)")
  }

  @Test("name squares that pull in turn")
  func parity() throws {
    let seen = try patterns(distortion: [-0.25, 0.08, 0, 0, 0], free: 4, parity: 0.3)
    let complaints = seen.patterns.complaints(sigma: seen.sigma)
    #expect(complaints.first?.hasPrefix("Look at exposure") == true, "\(complaints)")
  }
}
