import CameraModel
import Glibc
import Testing

@testable import CalibrationSolver

/// Views that come one by one, with wrong corners and wrong views, against all judged at once.
@Suite("a rejection of outliers that grows")
struct GrowingRejectionTests {
  /// Some corners in twenty are wrong by two to eight pixels.
  private func spoilt(_ views: [ObservedView], seed: Int) -> [ObservedView] {
    var generator = SeededGenerator(seed: seed)
    return views.map { view in
      var view = view
      for index in view.pixels.indices where generator.uniform(0, 1) < 0.03 {
        let angle = generator.uniform(0, 2 * .pi)
        view.pixels[index] += SIMD2(cos(angle), sin(angle)) * generator.uniform(2, 8)
      }
      return view
    }
  }

  private func grown(
    _ all: SolverProblem, from count: Int
  ) throws -> (rejection: GrowingRejection, objections: [GrowingRejection.Objection]) {
    var first = all
    first.views = Array(all.views[..<count])
    first.poses = Array(all.poses[..<count])
    var rejection = try GrowingRejection(OutlierRejection(first), of: first.views)
    var objections: [GrowingRejection.Objection] = []
    for index in count..<all.views.count {
      guard let objection = try rejection.add(all.views[index]) else { continue }
      objections.append(objection)
      var whole = rejection.growing.problem
      whole.views = Array(all.views[...index])
      whole.poses.append(all.poses[index])
      rejection = try GrowingRejection(OutlierRejection(whole), of: whole.views)
    }
    return (rejection, objections)
  }

  /// The camera within a fiftieth of each deviation of what the same points give at once, and the points
  /// nearly those that a look at all of them leaves.
  ///
  /// A point at the threshold, 3.5σ, may stand on either side, as its own residual is smaller where it takes
  /// part; among 54·34 points one of them moves the camera by a tenth of a deviation.
  private func expectSame(
    _ growing: GrowingSolution, _ whole: OutlierRejection, _ comment: Comment
  ) throws {
    let same = try BundleAdjustment.solve(growing.problem)
    let deviations = try ParameterCovariance(same).deviations
    let (mine, theirs) = (growing.problem.camera.parameterVector, same.camera.parameterVector)
    for (slot, indices) in same.cameraSlots.enumerated() {
      let off = abs(mine[indices[0]] - theirs[indices[0]]) / deviations[slot]
      #expect(off < 0.02, "\(comment): \(same.slotNames[slot]), \(off) deviations")
    }
    #expect(abs(growing.sigma / same.sigma - 1) < 0.001, comment)
    let different = zip(growing.problem.views, whole.problem.views).reduce(0) { sum, pair in
      sum + zip(pair.0.isUsed, pair.1.isUsed).count { $0 != $1 }
    }
    print("\(comment): \(different) points on the other side of \(whole.rejectedPointCount)")
    #expect(different <= 2, comment)
  }

  @Test("wrong corners are left out as all views at once would have it", arguments: 1...4)
  func wrongCorners(seed: Int) throws {
    let truth = SyntheticViews(
      camera: TestCamera.pinhole, views: 34, columns: 9, rows: 6, distance: 0.4...0.8, seed: seed)
    var all = truth.problem(sigma: 0.2, seed: seed)
    all.views = spoilt(all.views, seed: seed)
    let (rejection, objections) = try grown(all, from: 9)
    let whole = try OutlierRejection(all)
    try expectSame(rejection.growing, whole, "seed \(seed)")
    #expect(whole.rejectedPointCount > 30)
    // At 18 views.
    #expect(objections == [.doubled])
  }

  @Test("a view of a camera that has moved its focus asks for a look at all, and is left out")
  func wrongView() throws {
    let truth = SyntheticViews(
      camera: TestCamera.pinhole, views: 16, columns: 9, rows: 6, distance: 0.4...0.8, seed: 21)
    var all = truth.problem(sigma: 0.2, seed: 3)
    // Corners in a wrong place along a row, as a reflection makes them.
    for index in 0..<18 { all.views[12].pixels[index].x += 6 * Double(index % 4) }
    let (rejection, objections) = try grown(all, from: 9)
    #expect(objections == [.misfit])
    #expect(rejection.growing.problem.views[12].usedCount == 0)
    let whole = try OutlierRejection(all)
    #expect(whole.droppedViews.keys.sorted() == [12])
    try expectSame(rejection.growing, whole, "without the view")
  }

  @Test("an objection leaves all as it was")
  func objection() throws {
    let truth = SyntheticViews(camera: TestCamera.pinhole, views: 10, seed: 22)
    let all = truth.problem(sigma: 0.2, seed: 3)
    var rejection = try GrowingRejection(OutlierRejection(all), of: all.views)
    let before = rejection.growing.problem
    var view = all.views[0]
    view.pixels.swapAt(0, 20)
    view.pixels.swapAt(3, 15)
    #expect(try rejection.add(view) == .misfit)
    let after = rejection.growing.problem
    #expect(after == before)
  }

  @Test("the other pose of a view far away does not stay")
  func flippedPose() throws {
    let truth = SyntheticViews(
      camera: TestCamera.pinhole, views: 30, columns: 6, rows: 4, distance: 1.2...2, seed: 23)
    let near = SyntheticViews(camera: TestCamera.pinhole, views: 20, seed: 24)
    let first = near.problem(sigma: 0.1, seed: 3)
    var rejection = try GrowingRejection(OutlierRejection(first), of: first.views)
    for (index, view) in truth.observed(sigma: 0.1, seed: 5).prefix(15).enumerated() {
      #expect(try rejection.add(view) == nil)
      let pose = try #require(rejection.growing.problem.poses.last)
      let turn = pose.rotation - truth.poses[index].rotation
      #expect((turn * turn).sum().squareRoot() < 0.15, "view \(index)")
    }
  }
}
