import BoardRendering
import CalibrationSolver
import CalibrationStore
import CameraModel
import Testing

@testable import Calibration

@Suite("Verdict")
struct VerdictTests {
  static func evidence(
    good: Double = 0.9, fair: Double = 1, heldOutRatio: Double = 1.1, views: Int = 12,
    sigma: Double = 0.2, diagonal: Double = 800
  ) -> VerdictRules.Evidence {
    VerdictRules.Evidence(
      viewCount: views,
      uncertainty: .init(
        columns: 1, rows: 1, sigma: [1], median: 1, p90: 1, worst: 1,
        share: ["0.1": good, "0.2": good, "0.4": fair]),
      error: .init(rms: 1.4 * sigma, sigma: sigma, heldOutSigma: sigma * heldOutRatio),
      coverage: .init(
        columns: 8, rows: 6, cornerCounts: Array(repeating: 9, count: 48),
        tiltHistogram: [4, 4, 4, 0, 0, 0, 0, 0, 0]),
      largestTilt: 30, foldOver: nil, diagonal: diagonal, disagreements: [], weaknesses: [],
      deviationRatio: 1.5)
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
      (evidence(sigma: 0.74), .good),
      (evidence(sigma: 0.76), .usable),
      (evidence(sigma: 1.24), .usable),
      (evidence(sigma: 1.26), .poor),
      // Larger images: by their diagonal. The second is a real fisheye set at 2304x2304.
      (evidence(sigma: 1.4, diagonal: 5000), .good),
      (evidence(sigma: 1.9, diagonal: 3258), .poor),
      (evidence(views: 6), .good),
      (evidence(views: 5), .poor),
    ])
  func limits(_ evidence: VerdictRules.Evidence, _ level: IntrinsicsRecord.Verdict.Level) {
    #expect(VerdictRules.verdict(evidence).level == level)
  }

  @Test(
    "A lens that suits better is the first reason and changes no grade; a simpler one comes last")
  func lens() {
    var evidence = Self.evidence(good: 0.5)
    evidence.lensHint = LensHint(lensModel: .fisheye, isBetter: true, text: "Use another.")
    let usable = VerdictRules.verdict(evidence)
    #expect(usable.level == .usable && usable.reasons.count == 2)
    #expect(usable.reasons.first == "Use another.")
    evidence.lensHint?.isBetter = false
    #expect(VerdictRules.verdict(evidence).reasons.last == "Use another.")
    var good = Self.evidence()
    good.lensHint = LensHint(lensModel: .fisheye, isBetter: true, text: "Use another.")
    #expect(VerdictRules.verdict(good) == .init(level: .good, reasons: ["Use another."]))
  }

  @Test("Views that disagree as usual are no cause for alarm")
  func deviations() {
    for (ratio, words) in [(4.4, "nothing need be done"), (7.1, "focus or camera may have moved")] {
      var evidence = Self.evidence()
      evidence.uncertainty?.sigma = [0.1]
      evidence.deviationRatio = ratio
      let verdict = VerdictRules.verdict(evidence)
      #expect(verdict.level == .good && verdict.reasons.count == 1)
      #expect(verdict.reasons[0].contains(words), "\(verdict.reasons)")
    }
  }

  @Test("Views that disagree strongly are good only with a larger uncertainty, too")
  func disagreement() {
    // 0.1 % of the diagonal are 0.8 px.
    for (ratio, pixels, level) in [
      (4.4, 0.79, IntrinsicsRecord.Verdict.Level.good), (5.5, 0.5, .good), (5.5, 0.6, .usable),
      (8.3, 0.25, .good), (8.3, 0.3, .usable),
    ] {
      var evidence = Self.evidence()
      evidence.uncertainty?.sigma = [pixels]
      evidence.deviationRatio = ratio
      let verdict = VerdictRules.verdict(evidence)
      #expect(verdict.level == level, "\(ratio) \(pixels)")
      if level == .usable {
        #expect(verdict.reasons[0].hasPrefix("Look for a board that is not flat"))
      }
    }
  }

  @Test("What holds against the views and moves half of the image is poor, else usable")
  func contradiction() {
    var evidence = Self.evidence()
    evidence.contradictedValues = ["Leave out --no-bend."]
    for (fair, level) in [(0.51, IntrinsicsRecord.Verdict.Level.usable), (0.49, .poor)] {
      evidence.shareUnmoved = (good: 0.1, fair: fair)
      let verdict = VerdictRules.verdict(evidence)
      #expect(verdict.level == level && verdict.reasons[0] == "Leave out --no-bend.")
    }
  }

  @Test("A tenth of the image beyond 1.5 % of the diagonal is not usable")
  func largestLevel() {
    for (p90, level) in [(11.9, IntrinsicsRecord.Verdict.Level.usable), (12.1, .poor)] {
      var evidence = Self.evidence(good: 0.3, fair: 0.7)
      evidence.uncertainty?.p90 = p90
      #expect(VerdictRules.verdict(evidence).level == level)
    }
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
    var doubtful = Self.evidence()
    doubtful.doubts = ["focus may have moved"]
    #expect(VerdictRules.verdict(doubtful).level == .usable)
    #expect(VerdictRules.verdict(doubtful).reasons.first == "focus may have moved")
  }

  @Test(
    "Where a wide lens ends inside the image is said, as angle and pixels",
    arguments: [true, false])
  func imageLimit(isSpline: Bool) throws {
    let camera = CameraParameters(
      resolution: Resolution(width: 640, height: 480), lensModel: isSpline ? .spline : .fisheye,
      intrinsics: Intrinsics(fx: 240, fy: 240, cx: 319.5, cy: 239.5),
      distortion: isSpline ? [0, 0, 0, 0, 0, 0, 0, 0, 0, 1.2] : [-0.2])
    var evidence = Self.evidence()
    evidence.imageLimit = Evaluation.limit(camera)
    let verdict = VerdictRules.verdict(evidence)
    // Its round picture may end there: the shares of the area judge that.
    #expect(verdict.level == .good)
    let text = try #require(verdict.reasons.first)
    let limit = isSpline ? "68.8° to the axis, 288 px" : "74.0° to the axis, 207 px"
    #expect(text.hasPrefix("Nothing can be said beyond \(limit)"), "\(text)")
    #expect(Evaluation.limit(CameraParameters.example(.fisheye)) == nil)
    #expect(Evaluation.limit(CameraParameters.example(.pinhole)) == nil)
  }

  @Test("A bend that no board has is a reason against good; what boards have is none")
  func implausibleBend() throws {
    let points = (0..<54).map { SIMD3(0.03 * Double($0 % 9), 0.03 * Double($0 / 9), 0) }
    func share(_ sagitta: SIMD2<Double>, _ deviation: Double) throws -> Double? {
      let bend = try #require(BoardBend(over: points, sagitta: sagitta, isRound: false))
      return BendKnowledge.implausible(bend, deviations: SIMD2(deviation, deviation))
    }
    #expect(try share(SIMD2(0.0005, -0.0006), 0.00001) == nil)
    #expect(try share(SIMD2(0, 0.001), 0.0004) == nil)
    let large = try #require(try share(SIMD2(0.0002, -0.0012), 0.0001))
    #expect(abs(large - 0.005) < 1e-6)
    var evidence = Self.evidence()
    evidence.implausibleBend = large
    let verdict = VerdictRules.verdict(evidence)
    #expect(verdict.level == .usable)
    #expect(verdict.reasons.first?.contains("bent by 0.50 % of its length") == true)
  }

  @Test("Coefficients that folded over are named, and with views that disagree the result is poor")
  func heldCoefficients() {
    var evidence = Self.evidence()
    evidence.foldOverCoefficients = ["k2", "p1", "p2"]
    var verdict = VerdictRules.verdict(evidence)
    #expect(verdict.level == .usable)
    #expect(verdict.reasons.first?.contains("k2, p1 and p2 are held at 0") == true)
    evidence.deviationRatio = 3.4
    #expect(VerdictRules.verdict(evidence).level == .usable)
    evidence.deviationRatio = 4.5
    verdict = VerdictRules.verdict(evidence)
    #expect(verdict.level == .poor)
    #expect(verdict.reasons.first?.contains("4.5 times") == true)
  }

  @Test("Rounding is not judged: exact points are good, whatever its proportions")
  func exactPoints() throws {
    var evidence = Self.evidence(heldOutRatio: 9, sigma: 1e-12)
    evidence.deviationRatio = 78
    let verdict = VerdictRules.verdict(evidence)
    #expect(verdict.level == .good && verdict.reasons.isEmpty)
    // Every tenth corner is not seen, so that some views have less rounding than others.
    let camera = CameraParameters.example(.pinhole)
    let exact = try SyntheticViews(
      camera: camera, board: PrintedBoard(columns: 9, rows: 6), count: 16, seed: 5)
    let views = exact.noisy(sigma: 0, seed: 1).enumerated().map { index, view in
      ObservedView(
        boardPoints: view.boardPoints, pixels: view.pixels,
        isUsed: view.pixels.indices.map { ($0 * 7 + index * 3) % 10 != 0 })
    }
    let fitting = LensFitting(
      views: views, resolution: camera.resolution, lensModel: .pinhole, jobs: 1)
    let fit = try fitting.fit(sample: Array(views.indices))
    let disagreement = ViewDisagreement(fit, names: views.indices.map { "\($0)" })
    #expect(disagreement.strays.isEmpty && disagreement.verdicts.isEmpty)
    #expect(fit.solution.sigma < ViewDisagreement.rounding)
  }

  @Test("Sentences do not begin with a parameter's name in capitals")
  func parameterNames() {
    #expect(Evaluation.sentence("k1, fx can't be told apart") == "k1, fx can't be told apart.")
    #expect(Evaluation.sentence("fx and fy differ") == "fx and fy differ.")
    #expect(Evaluation.sentence("the principal point moves") == "The principal point moves.")
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

  @Test("A weakness that another one names too is said once")
  func weaknessesOnce() {
    let tilts = "cannot be told apart: show the board under more tilts and at more places"
    let corners = "the radial coefficients (k1, k2) cannot be told apart: bring the board nearer"
    #expect(
      Evaluation.sentences(["k1, fx \(tilts)", "k1, fx, fy \(tilts)"]) == ["k1, fx, fy \(tilts)."])
    #expect(Evaluation.sentences(["k1, fx \(tilts)", "fx, k1 \(tilts)"]) == ["k1, fx \(tilts)."])
    #expect(
      Evaluation.sentences(["k1, fx \(tilts)", corners])
        == ["k1, fx \(tilts).", Evaluation.sentence(corners)])
  }
}
