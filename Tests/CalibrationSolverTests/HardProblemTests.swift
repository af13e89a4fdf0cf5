import CalibrationSolver
import CameraModel
import TestSupport
import Testing

/// Ours from nothing against ours from the truth and from OpenCV's answer.
@Suite("hard problems")
struct HardProblemTests {
  /// One problem and the figures that its solvers reached: RMS, pixels.
  private struct Contest: Sendable, CustomStringConvertible {
    var seed: Int
    var kind: HardProblem.Kind
    /// Infinite where there was no answer.
    var own: Double
    var fromTruth: Double?
    var fromOpenCV: Double?
    var isFinite: Bool

    init(seed: Int) {
      let hard = HardProblem(seed: seed)
      self.seed = seed
      kind = hard.kind
      var solution: Solution?
      if let start = try? hard.fromNothing(), start.poses.count == hard.views.count {
        solution = try? BundleAdjustment.lowest(start)
      }
      own = solution?.rms ?? .infinity
      isFinite = solution?.camera.parameterVector.allSatisfy { $0.isFinite } ?? true
      fromTruth = (try? BundleAdjustment.solve(hard.fromTruth))?.rms
      fromOpenCV = hard.fromOpenCV().flatMap { try? BundleAdjustment.solve($0) }?.rms
    }

    /// Whether ours is the lowest, to a millionth of the cost.
    var isWon: Bool {
      let lowest = min(own, fromTruth ?? .infinity, fromOpenCV ?? .infinity)
      return own.isFinite && own * own <= lowest * lowest * (1 + 1e-6)
    }

    var description: String {
      "seed \(seed), \(kind): \(own) px, from the truth \(fromTruth ?? .infinity), "
        + "from OpenCV \(fromOpenCV ?? .infinity)"
    }
  }

  @Test("of 1000 at most one ends above the lowest that any start leads to")
  func endsAtTheLowest() async {
    // In a debug build a few of each kind; under a sanitizer, which takes minutes for them, one.
    let seeds = runsLongTests ? 1000 : Sanitizers.arePresent ? 9 : 45
    let contests = await withTaskGroup(of: [Contest].self) { group in
      for part in 0..<2 {
        group.addTask { stride(from: part, to: seeds, by: 2).map { Contest(seed: $0) } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    let lost = contests.filter { !$0.isWon }.sorted { $0.seed < $1.seed }
    for contest in lost { print("lost: \(contest)") }
    let strange = contests.filter { !$0.isFinite }
    let peer = contests.filter { ($0.fromOpenCV ?? .infinity) > $0.own * (1 + 5e-7) }
    print("measured \(seeds) hard problems: \(lost.count) lost, from OpenCV's \(peer.count)")
    #expect(lost.count <= seeds / 1000, "\(lost)")
    #expect(strange.isEmpty, "\(strange)")
  }
}
