import BoardRendering
import Boards
import CalibrationSolver
import CameraModel
import Testing

@testable import Calibration

/// The figures of guidance, grown view by view, against all views solved for at once.
@Suite("The calibration that guides, as it grows")
struct QuickFitTests {
  static let board = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.025)
  static let camera = CameraParameters.example(.pinhole)
  static let frontal = PoseRanges(cover: 0.4...0.5, tiltDegrees: 0...1, rollDegrees: 0...2)

  /// Three views that face the camera, and more as they come; the bend is a share of the board's length.
  static func views(
    _ count: Int, seed: UInt64, bend: Double = 0, sigma: Double = 0.15
  ) throws -> [ObservedView] {
    let printed = PrintedBoard(columns: 9, rows: 6)
    let poses =
      try BoardPose.random(3, camera: camera, board: printed, ranges: frontal, seed: seed)
      + BoardPose.random(count - 3, camera: camera, board: printed, seed: seed + 100)
    var random = SeededGenerator(seed: seed)
    let points = board.cornerPoints
    let shape = try #require(BoardBend(over: points, sagitta: SIMD2(bend, 0) * 0.2))
    let bent = shape.applied(to: points)
    return try poses.map { pose in
      let pose = Pose(rotation: pose.rotation, translation: pose.translation)
      return ObservedView(
        boardPoints: points,
        pixels: try bent.map {
          try #require(camera.project(pose($0))) + SIMD2(random.normal(), random.normal()) * sigma
        })
    }
  }

  static func fit(flat: Bool = false, keepsOutliers: Bool = false) -> QuickFit {
    var options = CalibrationOptions(board: board, squareSizeIsKnown: true, jobs: 1)
    options.takesBoardForFlat = flat
    options.keepsOutliers = keepsOutliers
    return QuickFit(board: board, resolution: camera.resolution, options: options)
  }

  /// Camera and figure as the same points give them at once, with the same prior on the bend, and nearly the
  /// points that a look at all of them leaves.
  private func expectSame(_ fit: QuickFit, _ comment: Comment) throws {
    let solution = try #require(fit.solution)
    var problem = try #require(fit.problem)
    let same = try BundleAdjustment.solve(problem)
    let covariance = try ParameterCovariance(same)
    let (mine, theirs) = (solution.camera.parameterVector, same.camera.parameterVector)
    for (slot, indices) in same.cameraSlots.enumerated() {
      let off = abs(mine[indices[0]] - theirs[indices[0]]) / covariance.deviations[slot]
      #expect(off < 0.02, "\(comment): \(same.slotNames[slot]) off by \(off) deviations")
    }
    let p90 = try #require(ProjectionUncertainty(same, covariance: covariance).p90)
    let found = try #require(fit.p90)
    #expect(abs(found / p90 - 1) < 0.02, "\(comment): \(found) px, at once \(p90) px")
    problem.views = fit.views
    let whole = try OutlierRejection(problem).problem.views
    let different = zip(fit.problem?.views ?? [], whole).reduce(0) { sum, pair in
      sum + zip(pair.0.isUsed, pair.1.isUsed).count { $0 != $1 }
    }
    // Points at the threshold may stand on either side.
    #expect(different <= 2, comment)
  }

  @Test(
    "Three views from the front first, then tilted ones: all figures as from all views at once",
    arguments: 1...3 as ClosedRange<UInt64>)
  func frontalFirst(seed: UInt64) throws {
    var fit = Self.fit()
    var whole: [Int] = []
    for (index, view) in try Self.views(24, seed: seed).enumerated() {
      let before = fit.wholeCount
      let isAdded = fit.add(view)
      #expect(isAdded)
      if fit.wholeCount > before { whole.append(index + 1) }
      if [8, 14, 24].contains(index + 1) { try expectSame(fit, "\(index + 1) views") }
    }
    print("seed \(seed): all solved for at \(whole), \(fit.p90 ?? .nan) px")
    // The first ones, and each time there are twice as many.
    #expect(whole.prefix(5) == [1, 2, 3, 4, 5])
    #expect(whole.count <= 8)
    #expect(fit.rejection != nil)
  }

  @Test("A bad view early or late is left out of the figures", arguments: [2, 12])
  func badView(place: Int) throws {
    var views = try Self.views(16, seed: 9)
    let clean = views
    // A board that moved while the rows were read.
    for index in 0..<54 { views[place].pixels[index].x += 3 * Double(index / 9 % 3) }
    var (fit, without) = (Self.fit(), Self.fit())
    for index in views.indices {
      _ = fit.add(views[index])
      if index != place { _ = without.add(clean[index]) }
    }
    #expect(fit.views.count == 16)
    try expectSame(fit, "bad view \(place)")
    let (mine, theirs) = (try #require(fit.p90), try #require(without.p90))
    #expect(abs(mine / theirs - 1) < 0.02, "\(mine) px, without it \(theirs) px")
  }

  @Test(
    "With --no-outliers bad views and points have their say in the figures, too",
    arguments: [2, 12])
  func keptOutliers(place: Int) throws {
    var views = try Self.views(16, seed: 9)
    for index in 0..<54 { views[place].pixels[index].x += 3 * Double(index / 9 % 3) }
    views[place + 2].pixels[7].y += 9
    var (fit, usual) = (Self.fit(flat: true, keepsOutliers: true), Self.fit(flat: true))
    for view in views {
      let isAdded = fit.add(view)
      #expect(isAdded)
      _ = usual.add(view)
    }
    let problem = try #require(fit.problem)
    #expect(problem.views.map(\.usedCount) == Array(repeating: 54, count: 16))
    #expect(try #require(usual.problem).views.contains { $0.usedCount < 54 })
    #expect(fit.rejection != nil && fit.wholeCount <= 10, "\(fit.wholeCount)")
    let same = try BundleAdjustment.solve(problem)
    let covariance = try ParameterCovariance(same)
    let solution = try #require(fit.solution)
    for (slot, indices) in same.cameraSlots.enumerated() {
      let (mine, theirs) = (solution.camera.parameterVector, same.camera.parameterVector)
      let off = abs(mine[indices[0]] - theirs[indices[0]]) / covariance.deviations[slot]
      #expect(off < 0.02, "\(same.slotNames[slot]) off by \(off) deviations")
    }
    let (p90, others) = (try #require(fit.p90), try #require(usual.p90))
    #expect(p90 > 1.5 * others, "\(p90) px, without them \(others) px")
  }

  @Test("Where no view is tilted nothing is taken for known, and one that is tilted changes that")
  func untilted() throws {
    let printed = PrintedBoard(columns: 9, rows: 6)
    let set = try SyntheticViews(
      camera: Self.camera, board: printed,
      poses: BoardPose.random(
        8, camera: Self.camera, board: printed,
        ranges: PoseRanges(cover: 0.4...0.5, tiltDegrees: 0...0.5, rollDegrees: 0...2), seed: 3))
    var fit = Self.fit()
    for view in set.noisy(sigma: 0.15, seed: 3) {
      let isAdded = fit.add(ObservedView(boardPoints: view.boardPoints, pixels: view.pixels))
      #expect(isAdded)
    }
    #expect(fit.rejection == nil)
    #expect(fit.wholeCount == 8)
    let views = try Self.views(8, seed: 4).suffix(5)
    for view in views { _ = fit.add(view) }
    #expect(fit.rejection != nil)
    try expectSame(fit, "after tilted views")
  }

  @Test("A bent board is taken for flat until the views can tell", arguments: [0, 0.0025])
  func bend(share: Double) throws {
    var fit = Self.fit()
    for (index, view) in try Self.views(24, seed: 12, bend: share).enumerated() {
      _ = fit.add(view)
      let solution = try #require(fit.solution)
      if index < 4 { #expect(solution.bend == nil) }
      guard let covariance = try? ParameterCovariance(solution) else { continue }
      let deviation = try #require(covariance.standardDeviations["fx"])
      // Never beyond the weak prior; and no figure where it would be a share of the image.
      #expect(deviation < 0.3 * solution.camera.intrinsics.fx)
      if let p90 = fit.p90 { #expect(p90 < 0.03 * 640) }
    }
    let solution = try #require(fit.solution)
    let covariance = try ParameterCovariance(solution)
    let (bend, deviations) = (try #require(solution.bend), try #require(covariance.bendDeviations))
    #expect(abs(bend.sagitta.x - share * 0.2) < 3.5 * deviations.x)
    #expect(deviations.max() < 0.05 / 240 * 0.2)
    try expectSame(fit, "bend \(share)")
  }
}
