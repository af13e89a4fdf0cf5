import CalibrationStore
import Testing

@testable import Calibration

@Suite("Verdict")
struct VerdictTests {
  static func evidence(
    good: Double = 0.9, fair: Double = 1, heldOutRatio: Double = 1.1, views: Int = 12
  ) -> VerdictRules.Evidence {
    VerdictRules.Evidence(
      viewCount: views,
      uncertainty: .init(
        columns: 1, rows: 1, sigma: [1], median: 1, p90: 1, worst: 1,
        share: ["0.1": good, "0.2": good, "0.4": fair]),
      error: .init(rms: 0.3, sigma: 0.2, heldOutSigma: 0.2 * heldOutRatio),
      coverage: .init(
        columns: 8, rows: 6, cornerCounts: Array(repeating: 9, count: 48),
        tiltHistogram: [4, 4, 4, 0, 0, 0, 0, 0, 0]),
      largestTilt: 30, foldOver: nil, disagreements: [], weaknesses: [], deviationRatio: 1.5)
  }

  @Test(
    "Each limit decides alone",
    arguments: [
      (evidence(), IntrinsicsRecord.Verdict.Level.good),
      (evidence(good: 0.85), .good),
      (evidence(good: 0.84), .usable),
      (evidence(good: 0.1, fair: 0.5), .usable),
      (evidence(good: 0.1, fair: 0.49), .poor),
      (evidence(heldOutRatio: 1.29), .good),
      (evidence(heldOutRatio: 1.31), .usable),
      (evidence(heldOutRatio: 2.01), .poor),
      (evidence(views: 6), .good),
      (evidence(views: 5), .poor),
    ])
  func limits(_ evidence: VerdictRules.Evidence, _ level: IntrinsicsRecord.Verdict.Level) {
    #expect(VerdictRules.verdict(evidence).level == level)
  }

  @Test("Fold-over and disagreeing views are poor, and every verdict but good has a reason")
  func faults() {
    var folding = Self.evidence()
    folding.foldOver = "the distortion folds over"
    #expect(VerdictRules.verdict(folding).level == .poor)
    var disagreeing = Self.evidence()
    disagreeing.disagreements = ["focus moved in a.png"]
    let verdict = VerdictRules.verdict(disagreeing)
    #expect(verdict.level == .poor)
    #expect(verdict.reasons.first == "focus moved in a.png")
  }

  @Test("The cure names the places that saw no board")
  func cure() {
    var evidence = Self.evidence(good: 0.5)
    for row in 0..<3 {
      for column in 0..<2 { evidence.coverage.cornerCounts[row * 8 + column] = 0 }
    }
    evidence.largestTilt = 12
    let reason = VerdictRules.verdict(evidence).reasons[0]
    #expect(reason.contains("Tilt the board"))
    #expect(reason.contains("upper left corner"))
    #expect(!reason.contains("lower right"))
  }
}
