import CalibrationSolver
import CameraModel
import Testing

@Suite("square pixels")
struct SharedParameterTests {
  private func problem(_ camera: CameraParameters, seed: Int) -> SolverProblem {
    var camera = camera
    camera.intrinsics.fy = camera.intrinsics.fx
    let truth = SyntheticViews(camera: camera, views: 10, seed: 3)
    var problem = truth.problem(
      sigma: 0.1, seed: seed, free: camera.freeWithoutHighTerms)
    problem.hasSquarePixels = true
    return problem
  }

  @Test("fx and fy are one number, known better than either alone", arguments: TestCamera.all)
  func one(camera: CameraParameters) throws {
    let shared = problem(camera, seed: 1)
    var apart = shared
    apart.hasSquarePixels = false
    let solution = try BundleAdjustment.solve(shared)
    let other = try BundleAdjustment.solve(apart)
    let k = solution.camera.intrinsics
    #expect(k.fx == k.fy)
    let (degrees, without) = (solution.degreesOfFreedom, other.degreesOfFreedom)
    #expect(degrees == without + 1)
    let covariance = try ParameterCovariance(solution)
    let both = covariance.standardDeviations
    #expect(both["fx"] == both["fy"])
    let alone = try #require(ParameterCovariance(other).standardDeviations["fx"])
    #expect(try #require(both["fx"]) < 1.02 * alone)
    let all = covariance.spread
    #expect(all.names == solution.freeNames)
    #expect(all.noise[0] == all.noise[1])
    #expect(all.noise.count == all.names.count)
  }

  @Test("the reported deviations are those of the scatter")
  func scatter() throws {
    let run = MonteCarlo(debug: 60, release: 400)
    var (focal, reported) = (Spread(), Spread())
    for seed in 0..<run.seeds {
      let solution = try BundleAdjustment.solve(problem(TestCamera.pinhole, seed: seed))
      focal.add(solution.camera.intrinsics.fx - TestCamera.pinhole.intrinsics.fx)
      reported.add(try ParameterCovariance(solution).noise[0][0].squareRoot())
    }
    let ratio = reported.rootMeanSquare / focal.rootMeanSquare
    print("measured square pixels: reported / seen \(ratio)")
    #expect(run.limits.contains(ratio))
  }

  @Test("the projection is as certain as its spread covariance says")
  func projection() throws {
    let solution = try BundleAdjustment.solve(problem(TestCamera.pinhole, seed: 2))
    let covariance = try ParameterCovariance(solution)
    let grid = ProjectionUncertainty(solution, covariance: covariance)
    var apart = problem(TestCamera.pinhole, seed: 2)
    apart.hasSquarePixels = false
    let other = try BundleAdjustment.solve(apart)
    let wider = ProjectionUncertainty(other, covariance: try ParameterCovariance(other))
    let (narrow, wide) = (try #require(grid.median), try #require(wider.median))
    #expect(narrow < 1.05 * wide)
    #expect(WeakDirection.directions(of: solution).count == solution.slotNames.count)
  }

  @Test("refuses focal lengths that differ, or of which one is held")
  func refusal() {
    var unequal = problem(TestCamera.pinhole, seed: 1)
    unequal.camera.intrinsics.fy += 1
    #expect(throws: SolverError.self) { try BundleAdjustment.solve(unequal) }
    var held = problem(TestCamera.pinhole, seed: 1)
    held.free[1] = false
    #expect(throws: SolverError.self) { try BundleAdjustment.solve(held) }
  }

  @Test("a prior on either holds both")
  func prior() throws {
    var shared = problem(TestCamera.pinhole, seed: 1)
    shared.priors[1] = ParameterPrior(mean: 500, deviation: 1e-3)
    let solution = try BundleAdjustment.solve(shared)
    #expect(abs(solution.camera.intrinsics.fx - 500) < 0.1)
  }
}
