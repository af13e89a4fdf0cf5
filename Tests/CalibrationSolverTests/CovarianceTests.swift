import CalibrationSolver
import CameraModel
import Testing

@Suite("covariances")
struct CovarianceTests {
  @Test("are there for six views, and the jackknife is not below")
  func sixViews() throws {
    let five = SyntheticViews(camera: TestCamera.pinhole, views: 5).problem(sigma: 0.2, seed: 2)
    let six = SyntheticViews(camera: TestCamera.pinhole, views: 6).problem(sigma: 0.2, seed: 2)
    let small = try ParameterCovariance(BundleAdjustment.solve(five))
    let large = try ParameterCovariance(BundleAdjustment.solve(six))
    #expect(small.viewToView == nil)
    #expect(small.ratios == nil)
    #expect(large.viewToView != nil)
    for (index, deviation) in large.deviations.enumerated() {
      let noise = large.noise[index][index].squareRoot()
      #expect(deviation >= noise)
    }
  }

  @Test("twenty frontal views at one distance: the focal length has a huge deviation")
  func singleAngle() throws {
    let tilted = SyntheticViews(
      camera: TestCamera.pinhole, views: 20, distance: 0.4...0.45, seed: 4)
    let frontal = SyntheticViews(
      camera: TestCamera.pinhole, views: 20, tilt: 0.5, distance: 0.4...0.45, seed: 4)
    func deviation(_ views: SyntheticViews) throws -> Double {
      let free = [true, true, true, true, true, true, true, true, false]
      let solution = try BundleAdjustment.solve(views.problem(sigma: 0.1, seed: 5, free: free))
      return try #require(ParameterCovariance(solution).standardDeviations["fx"])
    }
    let (wide, narrow) = try (deviation(frontal), deviation(tilted))
    #expect(narrow < 5)
    #expect(wide > 20 * narrow, "\(wide) px beside \(narrow) px")
  }
}
