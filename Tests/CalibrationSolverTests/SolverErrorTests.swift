import CalibrationSolver
import CameraModel
import Testing

@Suite("what the solver refuses, and what does not matter to it")
struct SolverErrorTests {
  private let good = SyntheticViews(camera: TestCamera.pinhole, views: 6).problem(
    sigma: 0.1, seed: 1, free: TestCamera.pinhole.freeWithoutHighTerms)

  private func code(_ problem: SolverProblem) -> SolverError.Code? {
    do {
      _ = try BundleAdjustment.solve(problem)
      return nil
    } catch {
      #expect(!error.description.isEmpty)
      return error.code
    }
  }

  @Test(
    "counts that do not fit, numbers that are none, and too few points have errors of their own")
  func refused() {
    var problem = good
    problem.poses.removeLast()
    #expect(code(problem) == .mismatchedInput)
    problem = good
    problem.free.removeLast()
    #expect(code(problem) == .mismatchedInput)
    problem = good
    problem.views[2].pixels.removeLast()
    #expect(code(problem) == .mismatchedInput)
    problem = good
    problem.views[1].pixels[3].x = .nan
    #expect(code(problem) == .nonFinite)
    problem = good
    problem.poses[0].translation.z = .infinity
    #expect(code(problem) == .nonFinite)
    problem = good
    problem.camera.intrinsics.fx = -500
    #expect(code(problem) == .nonFinite)
    problem = good
    problem.poses[0].translation.z = -1
    #expect(code(problem) == .pointNotVisible)
    problem = good
    problem.views[4].isUsed = problem.views[4].isUsed.indices.map { $0 < 3 }
    #expect(code(problem) == .tooFewPoints)
    problem = good
    problem.views = problem.views.map { view in
      var view = view
      view.isUsed = view.isUsed.map { _ in false }
      return view
    }
    #expect(code(problem) == .tooFewPoints)
    problem = good
    problem.views = [problem.views[0]]
    problem.poses = [problem.poses[0]]
    problem.views[0].isUsed = problem.views[0].isUsed.indices.map { $0 < 6 }
    #expect(code(problem) == .tooFewPoints)
  }

  @Test("a view whose points lie on a line is an error, not a number that is none")
  func line() {
    var problem = good
    problem.views[0].isUsed = problem.views[0].isUsed.indices.map { $0 < 6 }
    #expect(code(problem) == .singular)
  }

  @Test("one view, everything free: finite numbers or an error, within the bound on iterations")
  func hopeless() throws {
    var problem = good
    problem.free = problem.free.map { _ in true }
    problem.views = [problem.views[0]]
    problem.poses = [problem.poses[0]]
    let solution = try BundleAdjustment.solve(problem)
    let isFinite =
      solution.camera.parameterVector.allSatisfy(\.isFinite) && solution.sigma.isFinite
    #expect(isFinite)
    if let covariance = try? ParameterCovariance(solution) {
      let allFinite = covariance.deviations.allSatisfy(\.isFinite)
      #expect(allFinite)
    }
  }

  @Test("the order of views, their origin and the board's unit do not change the camera")
  func invariance() throws {
    let reference = try BundleAdjustment.solve(good).camera
    var problem = good
    problem.views.reverse()
    problem.poses.reverse()
    let reversed = try BundleAdjustment.solve(problem).camera
    problem = good
    let shift = SIMD3(0.31, -0.2, 0)
    for view in problem.views.indices {
      let pose = problem.poses[view]
      let turned = Pose(rotation: pose.rotation, translation: SIMD3())
      problem.views[view].boardPoints = problem.views[view].boardPoints.map { ($0 + shift) * 1000 }
      problem.poses[view].translation = (pose.translation - turned(shift)) * 1000
    }
    let scaled = try BundleAdjustment.solve(problem).camera
    for other in [reversed, scaled] {
      for (a, b) in zip(reference.parameterVector, other.parameterVector) {
        // The search ends within 1e-4 of a deviation, some 0.1 px for f and 1e-3 for k1.
        #expect(abs(a - b) <= 1e-6 * max(1, abs(a)), "\(a), \(b)")
      }
    }
  }
}
