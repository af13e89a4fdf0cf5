import Calibration
import CalibrationSolver
import CalibrationStore
import CameraModel
import CommandRunning
import Testing

/// Two halves of a real set against each other: their cameras differ by what their deviations say.
///
/// Nobody knows the true camera; that two independent halves agree within their deviations is what can
/// be known. The corners are those of the whole set's calibration, so that only the solver works.
///
/// Ratios below 1 are no accident. A deviation is the larger of two estimates, and the jackknife counts a
/// view that holds the share h of the information as h/(1 − h): in halves of six to nine uneven views
/// that is too much, most of all for focal lengths, which one or two strongly tilted views decide
/// (carnd 0.53, stereo-webcam 0.50 to 0.55 where the board is taken for flat).
@Suite("Half splits", .withRealPhotographs)
struct HalfSplitTests {
  /// Sets of at least 12 used views.
  static let sets = PhotographSet.chosen([
    .openCVLeft, .stereoWebcam, .gopro, .webcam1080, .rosPillarbox, .rosWebcam, .sonyHX5V,
    .boardOnPhone, .fisheyeBoofCV, .carnd,
  ])

  @Test(arguments: sets) func halvesAgreeWithinTheirDeviations(_ set: PhotographSet) throws {
    let run = try Calibrations.shared.run(set)
    let record = try #require(run.record)
    let whole = try problem(record, try #require(run.points))
    #expect(whole.views.count >= 12)
    let names = ["fx", "fy", "cx", "cy"]
    var squares = [Double](repeating: 0, count: 4)
    var random = Shuffle(state: 12)
    let splits = 30
    for _ in 0..<splits {
      let order = random.permutation(of: whole.views.count)
      let middle = order.count / 2
      let halves = try [order[..<middle], order[middle...]].map { half in
        var problem = whole
        problem.views = half.map { whole.views[$0] }
        problem.poses = half.map { whole.poses[$0] }
        var solution = try BundleAdjustment.solve(problem)
        if let settled = BendKnowledge.settled(problem, solution) {
          solution = try BundleAdjustment.solve(settled)
        }
        return (solution.camera.parameterVector, try ParameterCovariance(solution))
      }
      for (index, name) in names.enumerated() {
        let deviations = try halves.map { try #require($0.1.standardDeviations[name]) }
        let difference = halves[0].0[index] - halves[1].0[index]
        squares[index] +=
          difference * difference
          / (deviations[0] * deviations[0] + deviations[1] * deviations[1])
      }
    }
    let ratios = squares.map { ($0 / Double(splits)).squareRoot() }
    print("half splits", set.name, zip(names, ratios).map { "\($0) \($1)" })
    for (name, ratio) in zip(names, ratios) {
      #expect((0.4...1.7).contains(ratio), "\(name): \(ratio)")
    }
  }

  /// The set's used views and points, started from its solution.
  private func problem(
    _ record: IntrinsicsRecord, _ stored: CalibrationPoints
  ) throws -> SolverProblem {
    let points = CalibrationPoints(views: stored.views.filter { $0.used.contains(true) })
    let poses = Dictionary(
      record.views.compactMap { view in view.pose.map { (view.source, $0) } },
      uniquingKeysWith: { first, _ in first })
    var problem = SolverProblem(
      camera: record.camera,
      views: points.views.map {
        ObservedView(boardPoints: $0.board, pixels: $0.pixels, isUsed: $0.used)
      },
      poses: try points.views.map { view in
        let pose = try #require(poses[view.source])
        return Pose(rotation: pose.rotation, translation: pose.translation)
      },
      free: record.camera.lensModel.parameterNames.map {
        record.standardDeviations[$0] != nil
      })
    if let found = record.board?.bend {
      let bend = try #require(
        BoardBend(
          over: points.views.lazy.flatMap(\.board), sagitta: SIMD2(found.x, found.y),
          isRound: found.x == found.y))
      // 0.3 mm of 240 mm, where the views need it.
      problem.shape = BoardShape(
        bend, prior: ParameterPrior(mean: 0, deviation: bend.length / 800))
    }
    return problem
  }
}

/// Random orders, the same on every machine (SplitMix64: Steele, Lea and Flood, 2014).
private struct Shuffle: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func permutation(of count: Int) -> [Int] { Array(0..<count).shuffled(using: &self) }
}
