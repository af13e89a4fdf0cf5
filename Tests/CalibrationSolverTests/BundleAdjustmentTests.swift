import CalibrationSolver
import CameraModel
import Testing

@Suite("bundle adjustment")
struct BundleAdjustmentTests {
  @Test("finds the camera from perfect data and a start that is off", arguments: TestCamera.all)
  func recovers(camera: CameraParameters) throws {
    let truth = SyntheticViews(camera: camera, views: 8)
    var problem = truth.problem(sigma: 0, seed: 0)
    var start = camera.parameterVector
    for index in 0..<4 { start[index] *= index < 2 ? 1.1 : 0.97 }
    for index in 4..<start.count where camera.lensModel.isEstimated[index] { start[index] *= 0.7 }
    problem.camera = CameraParameters(
      resolution: camera.resolution, lensModel: camera.lensModel, parameterVector: start)
    // Hardly a point lies beyond these knots.
    if camera.lensModel == .spline {
      problem.hold("s1", at: camera.distortion[6])
      problem.hold("s3", at: camera.distortion[8])
    }
    problem.poses = truth.poses.map {
      Pose(rotation: $0.rotation + 0.05, translation: $0.translation * 1.1)
    }
    let solution = try BundleAdjustment.solve(problem)
    let converged = solution.converged
    #expect(converged)
    // The search ends where no parameter would move by 1e-4 of its deviation at 1e-6 px of noise.
    let rms = solution.rms
    #expect(rms < 1e-9)
    for (found, wanted) in zip(solution.camera.parameterVector.prefix(4), camera.parameterVector) {
      #expect(abs(found - wanted) < 1e-5, "\(found) instead of \(wanted)")
    }
  }

  @Test("holds what is not free, and says how many degrees of freedom are left")
  func free() throws {
    let truth = SyntheticViews(camera: TestCamera.pinhole, views: 6)
    var free = Array(repeating: true, count: 9)
    free[8] = false
    let solution = try BundleAdjustment.solve(truth.problem(sigma: 0.2, seed: 1, free: free))
    let (camera, degrees, names) = (
      solution.camera, solution.degreesOfFreedom, solution.freeNames
    )
    #expect(camera.distortion[4] == 0)
    #expect(degrees == 2 * 24 * 6 - 8 - 36)
    #expect(names == ["fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2"])
    // 6 % is one standard error of sigma with 244 degrees of freedom; 4 of them.
    let sigma = solution.sigma
    #expect(abs(sigma / 0.2 - 1) < 0.24)
  }

  @Test("gives the same bits for every number of threads", arguments: TestCamera.all)
  func jobs(camera: CameraParameters) throws {
    let problem = SyntheticViews(camera: camera, views: 9).problem(sigma: 0.3, seed: 3)
    let one = try BundleAdjustment.solve(problem, jobs: 1)
    for jobs in [2, 3, 8] {
      let many = try BundleAdjustment.solve(problem, jobs: jobs)
      let isEqual =
        many.camera == one.camera && many.poses == one.poses && many.residuals == one.residuals
        && many.linearization.hessian == one.linearization.hessian
      #expect(isEqual, "\(jobs) threads")
    }
  }
}
