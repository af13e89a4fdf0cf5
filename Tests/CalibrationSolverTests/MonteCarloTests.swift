import CalibrationSolver
import CameraModel
import Testing

@Suite("perfect data: what is reported is what is seen")
struct MonteCarloTests {
  @Test("noise deviations match the scatter", arguments: TestCamera.all)
  func noise(camera: CameraParameters) throws {
    let run = MonteCarlo(debug: 80, release: 200)
    // Small enough for the models to be linear over the scatter: k1 and k4 of the rational model lie
    // in a long curved valley.
    let pixelNoise = 0.01
    let free = camera.freeWithoutHighTerms
    let truth = SyntheticViews(camera: camera, views: 10, columns: 5, rows: 4, seed: 7)
    let wanted = zip(camera.parameterVector, free).compactMap { $1 ? $0 : nil }
    var scatter = wanted.map { _ in Spread() }
    var noise = scatter
    var normalised = Spread()
    var sigma = Spread()
    for seed in 0..<run.seeds {
      let solution = try BundleAdjustment.solve(
        truth.problem(sigma: pixelNoise, seed: seed, free: free))
      let covariance = try ParameterCovariance(solution)
      let found = zip(solution.camera.parameterVector, free).compactMap { $1 ? $0 : nil }
      let errors = zip(found, wanted).map { $0 - $1 }
      for index in errors.indices {
        scatter[index].add(errors[index])
        noise[index].add(covariance.noise[index][index].squareRoot())
      }
      normalised.add(try mahalanobis(errors, covariance.noise) / Double(errors.count))
      sigma.add(solution.sigma)
    }
    for (index, name) in zip(camera.lensModel.parameterNames, free).compactMap({ $1 ? $0 : nil })
      .enumerated()
    {
      let ratio = noise[index].rootMeanSquare / scatter[index].rootMeanSquare
      print("measured \(camera.lensModel) \(name): reported / seen \(ratio)")
      #expect(run.limits.contains(ratio), "\(name): reported / seen \(ratio)")
    }
    // The spread of eᵀC⁻¹e/p about 1 is √(2/p) for one seed.
    let allowed = max(0.05, 4 * (2 / Double(wanted.count) / Double(run.seeds)).squareRoot())
    print("measured \(camera.lensModel) eᵀC⁻¹e/p \(normalised.mean), sigma \(sigma.mean)")
    #expect(abs(normalised.mean - 1) < allowed, "eᵀC⁻¹e/p \(normalised.mean)")
    #expect(abs(sigma.mean / pixelNoise - 1) < 0.02, "\(sigma.mean) px")
  }

  /// The jackknife is right on average where every view has a small share of the information; a view
  /// with the share h counts h/(1 − h), so few or uneven views make it larger, never smaller.
  @Test("view-to-view deviations match the scatter, or are on the safe side")
  func viewToView() throws {
    let run = MonteCarlo(debug: 30, release: 200)
    let free = TestCamera.pinhole.freeWithoutHighTerms
    let truth = SyntheticViews(
      camera: TestCamera.pinhole, views: 24, columns: 4, rows: 3, distance: 0.2...0.35, seed: 8)
    let wanted = zip(truth.camera.parameterVector, free).compactMap { $1 ? $0 : nil }
    var scatter = wanted.map { _ in Spread() }
    var reported = scatter
    for seed in 0..<run.seeds {
      let solution = try BundleAdjustment.solve(truth.problem(sigma: 0.2, seed: seed, free: free))
      let jackknife = try #require(ParameterCovariance(solution).viewToView)
      let found = zip(solution.camera.parameterVector, free).compactMap { $1 ? $0 : nil }
      for index in wanted.indices {
        scatter[index].add(found[index] - wanted[index])
        reported[index].add(jackknife[index][index].squareRoot())
      }
    }
    for index in wanted.indices {
      let ratio = reported[index].rootMeanSquare / scatter[index].rootMeanSquare
      print("measured view to view, parameter \(index): reported / seen \(ratio)")
      #expect(ratio > run.limits.lowerBound && ratio < run.limits.upperBound + 0.3)
    }
  }

  private func mahalanobis(_ e: [Double], _ c: [[Double]]) throws -> Double {
    // Gauss elimination on [C | e]; C is small and positive definite.
    var a = c.enumerated().map { $1 + [e[$0]] }
    let n = e.count
    for k in 0..<n {
      for i in (k + 1)..<max(n, k + 1) {
        let factor = a[i][k] / a[k][k]
        for j in k...n { a[i][j] -= factor * a[k][j] }
      }
    }
    var x = [Double](repeating: 0, count: n)
    for k in stride(from: n - 1, through: 0, by: -1) {
      var sum = a[k][n]
      for j in (k + 1)..<max(n, k + 1) { sum -= a[k][j] * x[j] }
      x[k] = sum / a[k][k]
    }
    return zip(x, e).map { $0 * $1 }.reduce(0, +)
  }
}

extension CameraParameters {
  /// What few small boards support: k1, k2, p1, p2 (and k4 of the rational model); k1, k2 of the fisheye;
  /// of the spline what both have.
  var freeWithoutHighTerms: [Bool] {
    let fixed: Set<String> =
      switch lensModel {
      case .fisheye: ["k3", "k4"]
      case .pinhole, .rational: ["k3", "k5", "k6"]
      case .spline: ["k3", "k4", "s1", "s2", "s3", "thetaMax"]
      }
    return lensModel.parameterNames.map { !fixed.contains($0) }
  }
}
