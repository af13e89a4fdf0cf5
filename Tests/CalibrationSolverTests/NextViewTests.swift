import CalibrationSolver
import CameraModel
import Testing

/// What one more view is predicted to be worth.
@Suite struct NextViewTests {
  /// The mean over the image of the trace of the projection's covariance, in s².
  private func meanVariance(_ solution: Solution) throws -> Double {
    let covariance = try ParameterCovariance(solution)
    let projection = try #require(ProjectionCovariance(solution, covariance: covariance))
    var (sum, count) = (0.0, 0.0)
    for row in 0..<ProjectionUncertainty.rows {
      for column in 0..<ProjectionUncertainty.columns {
        let pixel = ProjectionUncertainty.cellCentre(
          column: column, row: row, of: solution.camera.resolution)
        guard let noise = projection.matrices(at: pixel)?.first else { continue }
        sum += (noise.xx + noise.yy) / solution.variance
        count += 1
      }
    }
    return sum / count
  }

  @Test(arguments: [TestCamera.pinhole, TestCamera.fisheye])
  func predictionIsExactWithoutNoise(camera: CameraParameters) throws {
    let truth = SyntheticViews(camera: camera, views: 14, seed: 3)
    // A noise that moves nothing, as s² divides.
    let views = truth.observed(sigma: 1e-5, seed: 1)
    var free = camera.lensModel.parameterNames.map { _ in true }
    if camera.lensModel == .pinhole { free[8] = false }
    let problem = SolverProblem(
      camera: camera, views: Array(views[..<8]), poses: Array(truth.poses[..<8]), free: free)
    let solution = try BundleAdjustment.solve(problem)
    let before = try meanVariance(solution)
    let next = try #require(NextView(after: solution, of: problem))
    for candidate in 8..<14 {
      let predicted = try #require(
        next.share(leftBy: truth.boardPoints, at: truth.poses[candidate], weight: 1))
      var grown = problem
      grown.views.append(views[candidate])
      grown.poses.append(truth.poses[candidate])
      let found = try meanVariance(try BundleAdjustment.solve(grown)) / before
      // 3 % is what live guidance needs.
      #expect(abs(found / predicted - 1) < 0.03, "\(candidate): \(predicted), found \(found)")
    }
  }
}
