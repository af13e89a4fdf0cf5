import CalibrationSolver
import CameraModel
import Testing

/// Views added one by one against all views solved at once.
@Suite("a solution that grows")
struct GrowingSolutionTests {
  @Test(arguments: [TestCamera.pinhole, TestCamera.fisheye])
  func addedViewsGiveWhatAFullSolutionGives(camera: CameraParameters) throws {
    let free = camera.freeWithoutHighTerms
    let truth = SyntheticViews(camera: camera, views: 40, seed: 12)
    let all = truth.problem(sigma: 0.2, seed: 4, free: free)
    var first = all
    first.views = Array(all.views[..<8])
    first.poses = Array(all.poses[..<8])
    var growing = try GrowingSolution(BundleAdjustment.solve(first), of: first)
    for count in 9...40 {
      try growing.add(all.views[count - 1])
      guard [9, 12, 20, 40].contains(count) else { continue }
      var whole = all
      whole.views = Array(all.views[..<count])
      whole.poses = Array(all.poses[..<count])
      let solution = try BundleAdjustment.solve(whole)
      try expectSame(growing, solution, "\(camera.lensModel), \(count) views")
    }
    print("measured \(camera.lensModel): \(growing.passes) passes over all points for 32 views")
    // Far fewer than the four or five that each of 32 solutions would take.
    #expect(growing.passes < 64)
  }

  @Test("priors keep their weight")
  func priors() throws {
    let truth = SyntheticViews(camera: TestCamera.pinhole, views: 12, seed: 13)
    var all = truth.problem(sigma: 0.2, seed: 4)
    // Neither far below nor far above what the views say.
    all.priors = [8: ParameterPrior(mean: 0.1, deviation: 0.05)]
    var first = all
    first.views = Array(all.views[..<9])
    first.poses = Array(all.poses[..<9])
    var growing = try GrowingSolution(BundleAdjustment.solve(first), of: first)
    for view in all.views[9...] { try growing.add(view) }
    try expectSame(growing, BundleAdjustment.solve(all), "with a prior")
  }

  @Test("a view that shows no board leaves all as it was")
  func nothingFromNothing() throws {
    let truth = SyntheticViews(camera: TestCamera.pinhole, views: 8, seed: 14)
    let problem = truth.problem(sigma: 0.2, seed: 4)
    var growing = try GrowingSolution(BundleAdjustment.solve(problem), of: problem)
    let before = growing.problem
    let line = (0..<9).map { SIMD3(Double($0), 0, 0) }
    let view = ObservedView(boardPoints: line, pixels: line.map { SIMD2(100 + 20 * $0.x, 200) })
    #expect(throws: SolverError.self) { try growing.add(view) }
    let after = growing.problem
    #expect(after == before)
  }

  @Test("views that are replaced, left out, taken back or removed: as a full solution of the rest")
  func changes() throws {
    let truth = SyntheticViews(camera: TestCamera.pinhole, views: 20, seed: 15)
    var all = truth.problem(sigma: 0.2, seed: 4)
    let others = truth.observed(sigma: 0.2, seed: 9)
    var growing = try GrowingSolution(BundleAdjustment.solve(all), of: all)
    func check(_ comment: Comment) throws {
      try expectSame(growing, BundleAdjustment.solve(all), comment)
    }

    all.views[3] = others[3]
    all.views[11] = others[11]
    try growing.replace([3: others[3], 11: others[11]])
    try check("two replaced")

    all.views[5].isUsed[7] = false
    try growing.replace([5: all.views[5]])
    try check("a point left out")

    let whole = all.views[8]
    all.views[8].isUsed = whole.isUsed.map { _ in false }
    try growing.replace([8: all.views[8]])
    try check("a view left out")
    all.views[8] = whole
    try growing.replace([8: whole])
    try check("and taken back")

    all.views.remove(at: 2)
    all.poses.remove(at: 2)
    try growing.remove(at: 2)
    try check("a view removed")
    all.views.append(others[2])
    all.poses.append(truth.poses[2])
    try growing.add(others[2])
    try check("and another added")
  }

  @Test("what the views say of their agreement grows, too")
  func jackknife() throws {
    let truth = SyntheticViews(camera: TestCamera.pinhole, views: 16, seed: 16)
    let all = truth.problem(sigma: 0.2, seed: 4)
    var first = all
    first.views = Array(all.views[..<8])
    first.poses = Array(all.poses[..<8])
    var growing = try GrowingSolution(BundleAdjustment.solve(first), of: first)
    for view in all.views[8...] { try growing.add(view) }
    let mine = try ParameterCovariance(growing.solution)
    let whole = try ParameterCovariance(BundleAdjustment.solve(all))
    let (deviations, wanted) = (try #require(mine.viewToView), try #require(whole.viewToView))
    for i in deviations.indices {
      #expect(abs((deviations[i][i] / wanted[i][i]).squareRoot() - 1) < 0.01, "\(mine.names[i])")
      #expect(abs((mine.noise[i][i] / whole.noise[i][i]).squareRoot() - 1) < 0.01)
    }
  }

  /// Parameters within a hundredth of a deviation, H within one per cent of its diagonal.
  private func expectSame(
    _ growing: GrowingSolution, _ solution: Solution, _ comment: Comment
  ) throws {
    let deviations = try ParameterCovariance(solution).noise.enumerated().map {
      $1[$0].squareRoot()
    }
    let parameters = zip(
      growing.problem.camera.parameterVector, solution.camera.parameterVector)
    let free = solution.free.indices.filter { solution.free[$0] }
    let pairs = Array(parameters)
    for (slot, index) in free.enumerated() {
      let off = abs(pairs[index].0 - pairs[index].1) / deviations[slot]
      #expect(off < 0.01, "\(comment): \(solution.freeNames[slot]) is off by \(off) deviations")
    }
    let (mine, whole, p) = (growing.hessian, solution.linearization.hessian, free.count)
    for i in 0..<p {
      for j in 0..<p {
        let scale = (whole[i * p + i] * whole[j * p + j]).squareRoot()
        #expect(abs(mine[i * p + j] - whole[i * p + j]) < 0.01 * scale, "\(comment): H(\(i), \(j))")
      }
    }
    #expect(abs(growing.sigma / solution.sigma - 1) < 0.01, comment)
    for (view, (mine, theirs)) in zip(growing.problem.poses, solution.poses).enumerated()
    where growing.problem.views[view].usedCount > 0 {
      let shift = mine.translation - theirs.translation
      // A hundredth of what 0.2 px of noise does to a pose at half a metre.
      #expect((shift * shift).sum().squareRoot() < 2e-5, comment)
    }
  }
}
