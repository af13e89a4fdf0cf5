import CalibrationSolver
import CameraModel
import Testing

/// Corner noise of a known deviation, no rejection: no estimate that is right on average can scatter less
/// than the Cramér–Rao bound, and this one scatters no more.
@Suite("efficiency")
struct EfficiencyTests {
  private static let sigma = 0.2

  @Test(
    "scatter and reported deviations are the Cramér–Rao bound, and there is no bias",
    arguments: [TestCamera.pinhole, TestCamera.fisheye])
  func bound(camera: CameraParameters) throws {
    let seeds = runsLongTests ? 2000 : 400
    let free = camera.freeWithoutHighTerms
    let truth = SyntheticViews(camera: camera, views: 16, seed: 21)
    let names = zip(camera.lensModel.parameterNames, free).compactMap { $1 ? $0 : nil }
    let wanted = zip(camera.parameterVector, free).compactMap { $1 ? $0 : nil }
    let bounds = try Self.bounds(truth, free: free)
    var errors = wanted.map { _ in Spread() }
    var reported = errors
    for seed in 0..<seeds {
      let solution = try BundleAdjustment.solve(
        truth.problem(sigma: Self.sigma, seed: seed, free: free))
      let covariance = try ParameterCovariance(solution)
      let found = zip(solution.camera.parameterVector, free).compactMap { $1 ? $0 : nil }
      for index in wanted.indices {
        errors[index].add(found[index] - wanted[index])
        reported[index].add(covariance.noise[index][index].squareRoot())
      }
    }
    // Four standard errors of a ratio of deviations, 1/√(2·seeds), and of a mean, 1/√seeds.
    let scatterLimit = seeds >= 2000 ? 0.06 : 0.14
    let biasLimit = seeds >= 2000 ? 0.1 : 0.2
    for (index, name) in names.enumerated() {
      let scatter = errors[index].deviation / bounds[index]
      let deviation = reported[index].rootMeanSquare / bounds[index]
      let bias = errors[index].mean / bounds[index]
      print(
        "measured \(camera.lensModel) \(name): scatter / bound \(scatter), reported / bound "
          + "\(deviation), bias \(bias) deviations")
      #expect(abs(scatter - 1) < scatterLimit, "\(name)")
      #expect(abs(deviation - 1) < 0.015, "\(name)")
      #expect(abs(bias) < biasLimit, "\(name)")
    }
  }

  /// The bound of each free parameter: the root of the diagonal of σ²·H⁻¹ at the truth.
  private static func bounds(_ truth: SyntheticViews, free: [Bool]) throws -> [Double] {
    let exact = try BundleAdjustment.solve(truth.problem(sigma: 0, seed: 0, free: free))
    let count = exact.linearization.freeCount
    return try (0..<count).map { index in
      var column = (0..<count).map { $0 == index ? 1.0 : 0 }
      let isRegular = SmallMatrix.solve(exact.linearization.hessian, count, &column)
      try #require(isRegular)
      return sigma * column[index].squareRoot()
    }
  }
}
