import BoardRendering
import CalibrationSolver
import CameraModel
import Testing

@testable import Calibration

@Suite("Parameters that are fixed, shared or known beforehand")
struct ConstraintTests {
  static let resolution = Resolution(width: 1280, height: 720)

  static func constraints(
    squarePixels: Bool = false, zeroTangential: Bool = false,
    fix: [(String, Double?)] = [], prior: [(String, Double, Double)] = [],
    lensModel: LensModel? = .pinhole, coefficients: Int? = nil
  ) throws -> ParameterConstraints {
    try ParameterConstraints(
      squarePixels: squarePixels, zeroTangential: zeroTangential,
      fixes: fix.map { ($0.0, $0.1) },
      priors: prior.map { ($0.0, ParameterConstraints.Prior(mean: $0.1, deviation: $0.2)) },
      lensModel: lensModel, coefficientCount: coefficients)
  }

  private func fit(
    _ constraints: ParameterConstraints, lensModel: LensModel = .pinhole, coefficients: Int? = nil,
    shape: BoardShape? = nil
  ) throws -> (fit: LensFit, truth: CameraParameters) {
    let camera = CameraParameters.example(lensModel, resolution: Self.resolution)
    let board = PrintedBoard(columns: 9, rows: 6)
    let truth = try SyntheticViews(camera: camera, board: board, count: 12, seed: 71)
    let views = truth.noisy(sigma: 0.1, seed: 4).map {
      ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels)
    }
    var fitting = LensFitting(
      views: views, resolution: Self.resolution, lensModel: lensModel,
      coefficientCount: coefficients, jobs: 1)
    fitting.constraints = constraints
    fitting.shape = shape
    return (try fitting.fit(sample: Array(views.indices)), camera)
  }

  @Test(
    "Square pixels: one focal length, said and with one deviation",
    arguments: [LensModel.pinhole, .rational, .fisheye])
  func squarePixels(lensModel: LensModel) throws {
    let (fit, _) = try fit(
      Self.constraints(squarePixels: true, lensModel: lensModel), lensModel: lensModel)
    let k = fit.solution.camera.intrinsics
    #expect(k.fx == k.fy)
    #expect(fit.selection.held["fy"] == "the same number as fx: --square-pixels")
    let covariance = try ParameterCovariance(fit.solution)
    #expect(covariance.standardDeviations["fx"] == covariance.standardDeviations["fy"])
  }

  @Test("What is fixed stays, is said, and has no deviation; the rest is estimated")
  func fixed() throws {
    let (fit, truth) = try fit(
      Self.constraints(
        fix: [("centre", nil), ("k1", -0.23), ("fy", 975), ("k3", -0.01)]))
    let camera = fit.solution.camera
    #expect(camera.intrinsics.cx == 639.5 && camera.intrinsics.cy == 359.5)
    #expect(camera.intrinsics.fy == 975)
    #expect(camera.distortion[0] == -0.23 && camera.distortion[4] == -0.01)
    #expect(camera.distortion[1] != 0)
    #expect(abs(camera.intrinsics.fx / truth.intrinsics.fx - 1) < 0.2)
    let deviations = try ParameterCovariance(fit.solution).standardDeviations
    #expect(Set(deviations.keys) == ["fx", "k2", "p1", "p2"])
    let held = fit.selection.held
    #expect(held["cx"] == "held at 639.5: --fix" && held["fy"] == "held at 975: --fix")
    #expect(held["k1"] == "held at -0.23: --fix" && held["k3"] == "held at -0.01: --fix")
  }

  @Test("The truth fixed gives the rest its truth", arguments: [LensModel.pinhole, .fisheye])
  func fixedAtTruth(lensModel: LensModel) throws {
    let camera = CameraParameters.example(lensModel, resolution: Self.resolution)
    let k = camera.intrinsics
    let (fit, _) = try fit(
      Self.constraints(
        fix: [("fx", k.fx), ("cy", k.cy), ("k1", camera.distortion[0])], lensModel: lensModel),
      lensModel: lensModel)
    let deviations = try ParameterCovariance(fit.solution).standardDeviations
    for (name, (found, truth)) in zip(
      lensModel.parameterNames,
      zip(fit.solution.camera.parameterVector, camera.parameterVector))
    {
      guard let deviation = deviations[name] else { continue }
      #expect(abs(found - truth) < 4 * deviation, "\(name) \(found) ± \(deviation), not \(truth)")
    }
    #expect(fit.solution.sigma < 0.12)
  }

  @Test("No tangential coefficients, with --coefficients too")
  func zeroTangential() throws {
    for count in [nil, 5] {
      let (fit, _) = try fit(
        Self.constraints(zeroTangential: true, coefficients: count), coefficients: count)
      let distortion = fit.solution.camera.distortion
      #expect(distortion[2] == 0 && distortion[3] == 0)
      #expect(fit.selection.held["p1"] == "held at 0: --zero-tangential")
      #expect(count == nil || distortion[4] != 0)
    }
  }

  @Test("A prior is weighed against the views, and said")
  func prior() throws {
    let free = try fit(ParameterConstraints()).fit
    let fx = free.solution.camera.intrinsics.fx
    let deviation = try #require(ParameterCovariance(free.solution).standardDeviations["fx"])
    let strong = try fit(Self.constraints(prior: [("fx", fx + 10, 0.01 * deviation)])).fit
    #expect(abs(strong.solution.camera.intrinsics.fx - fx - 10) < 0.05 * deviation)
    let weak = try fit(Self.constraints(prior: [("fx", fx + 10, 1000 * deviation)])).fit
    #expect(abs(weak.solution.camera.intrinsics.fx - fx) < 0.01 * deviation)
    #expect(strong.selection.held["fx"]?.hasPrefix("held by a prior at") == true)
    let known = try ParameterCovariance(strong.solution).noise[0][0].squareRoot()
    #expect(known < 0.011 * deviation)
    // A coefficient that is known beforehand does not have to earn its place.
    let (k3, _) = try fit(Self.constraints(prior: [("k3", 0.02, 0.001)]))
    #expect(abs(k3.solution.camera.distortion[4] - 0.02) < 0.004)
    #expect(k3.selection.held["k3"] == "held by a prior at 0.02 ± 0.001: --prior")
  }

  @Test("A prior that the views contradict is named, however strong; one that they bear out is not")
  func contradictedPrior() throws {
    func conflicts(_ prior: (String, Double, Double)) throws -> [PriorConflict] {
      let fit = try fit(Self.constraints(prior: [prior])).fit
      return PriorConflict.all(fit.solution, try ParameterCovariance(fit.solution))
    }
    let free = try fit(ParameterConstraints()).fit
    let fx = free.solution.camera.intrinsics.fx
    let deviation = try #require(ParameterCovariance(free.solution).standardDeviations["fx"])
    for strength in [0.01, 1] {
      let found = try conflicts(("fx", fx + 30 * deviation, strength * deviation))
      #expect(found.map(\.name) == ["fx"])
      let alone = try #require(found.first?.alone)
      #expect(abs(alone - fx) < 3 * deviation)
      #expect(found.first?.sentence.hasPrefix("Check what is known of fx beforehand: ") == true)
    }
    for strength in [0.01, 1, 100] {
      #expect(try conflicts(("fx", fx + deviation, strength * deviation)).isEmpty)
    }
    // The views do not bear out a k3 this far from what the lens has.
    #expect(try conflicts(("k3", 5, 0.001)).map(\.name) == ["k3"])
  }

  @Test(
    "A wrong fixed value is named with what the views say; right ones beside it are not",
    arguments: [LensModel.pinhole, .fisheye])
  func contradictedValue(lensModel: LensModel) throws {
    let camera = CameraParameters.example(lensModel, resolution: Self.resolution)
    let k = camera.intrinsics
    func conflicts(_ fix: [(String, Double?)]) throws -> [FixedConflict] {
      let constraints = try Self.constraints(fix: fix, lensModel: lensModel)
      let fit = try fit(constraints, lensModel: lensModel).fit
      return FixedConflict.findings(
        fit.selection.problem, names: Set(constraints.fixed.keys)
      ).conflicts
    }
    #expect(try conflicts([("fx", k.fx), ("cx", k.cx), ("k1", camera.distortion[0])]).isEmpty)
    #expect(try conflicts([]).isEmpty)
    for factor in [0.7, 0.97, 1.02, 1.4] {
      let found = try conflicts([("fx", factor * k.fx), ("cy", k.cy)])
      #expect(found.map(\.name) == ["fx"], "\(factor)")
      let one = try #require(found.first)
      #expect(one.value == factor * k.fx && abs(one.alone - k.fx) < 4 * one.deviation)
    }
    #expect(try conflicts([("cx", k.cx + 40), ("fx", k.fx)]).map(\.name) == ["cx"])
    #expect(try conflicts([("k1", camera.distortion[0] + 0.1)]).map(\.name) == ["k1"])
  }

  @Test("Values that real cameras have are not refused, in small parts of large images either")
  func plausible() throws {
    let size = Self.resolution
    // A phone's telephoto lens, an all-sky fisheye, a telescope's guider, a part of a large image.
    for (fix, lensModel) in [
      ([("fx", 5000.0), ("k1", 8)], LensModel.pinhole), ([("fx", 110), ("k1", -0.05)], .fisheye),
      ([("fx", 600_000)], .pinhole), ([("cx", -9000), ("cy", 4000)], .pinhole),
      ([("k1", 40), ("k4", 40.5)], .rational), ([("k1", -0.7), ("k2", 2)], .pinhole),
      ([("fx", 3000), ("k4", 60)], .rational), ([("fx", 400), ("k1", -0.4)], .pinhole),
    ] {
      let constraints = try Self.constraints(
        fix: fix.map { ($0.0, $0.1) }, lensModel: lensModel)
      #expect(throws: Never.self) { try constraints.check(size, lensModel) }
      let focal = fix[0].0 == "fx" ? fix[0].1 : 1000
      let camera = CameraParameters(
        resolution: size, lensModel: lensModel,
        intrinsics: Intrinsics(fx: focal, fy: focal, cx: 640, cy: 360))
      #expect(throws: Never.self) { try constraints.checkCoefficients(camera) }
    }
  }

  @Test("A wrong constraint is not blamed on the photographs")
  func wrongConstraint() throws {
    let (fit, _) = try fit(Self.constraints(fix: [("cx", 600)]))
    var disagreement = ViewDisagreement(fit, names: fit.members.map { "\($0)" })
    disagreement.verdicts = ["These look like photographs of two cameras."]
    let constraints = try Self.constraints(
      squarePixels: true, zeroTangential: true, fix: [("cx", 600)], prior: [("k1", 0, 1)])
    let text = try #require(disagreement.under(constraints).verdicts.first)
    #expect(
      text.hasPrefix(
        "Calibrate without --fix, --prior, --square-pixels and --zero-tangential first: "))
    #expect(!text.contains("cameras"))
    #expect(disagreement.under(ParameterConstraints()).verdicts == disagreement.verdicts)
    disagreement.verdicts = []
    #expect(disagreement.under(constraints).verdicts.isEmpty)
  }

  @Test("Square pixels and priors go together, and square pixels and a fixed one")
  func together() throws {
    let (one, _) = try fit(
      Self.constraints(squarePixels: true, prior: [("fy", 900, 0.001)]))
    #expect(one.solution.camera.intrinsics.fx == one.solution.camera.intrinsics.fy)
    #expect(abs(one.solution.camera.intrinsics.fx - 900) < 0.1)
    let (both, _) = try fit(Self.constraints(squarePixels: true, fix: [("fy", 1000)]))
    let k = both.solution.camera.intrinsics
    #expect(k.fx == 1000 && k.fy == 1000)
    #expect(both.selection.held["fx"] == "held at 1000: --fix")
  }

  @Test(
    "What makes no sense is refused, with what would",
    arguments: [
      (
        ["f"], [], false, false, LensModel.pinhole, nil, "it has fx, fy, cx, cy, k1, k2, p1, p2, k3"
      ),
      (["p1"], [], false, false, .fisheye, nil, "it has fx, fy, cx, cy, k1, k2, k3, k4"),
      (["k6"], [], false, false, .pinhole, nil, "no parameter k6"),
      (["fx"], [], false, false, .pinhole, nil, "needs a value above 0"),
      (["fy=-3"], [], false, false, .pinhole, nil, "needs a value above 0"),
      (["centre=3"], [], false, false, .pinhole, nil, "takes no value"),
      (["cx=1", "centre"], [], false, false, .pinhole, nil, "cx is to stay at"),
      (
        ["k1=1", "k1=2"], [], false, false, .pinhole, nil,
        "k1 is to stay at 2.0, and by --fix at 1.0"
      ),
      (["p1=0.1"], [], false, true, .pinhole, nil, "--zero-tangential at 0.0"),
      ([], [], false, true, .fisheye, nil, "no tangential coefficients"),
      (["fx=1", "fy=2"], [], true, false, .pinhole, nil, "different values"),
      (["fx=1"], ["fx"], false, false, .pinhole, nil, "fixed by --fix"),
      (["fx=1"], ["fy"], true, false, .pinhole, nil, "nothing is left for a prior"),
      ([], ["fx", "fy"], true, false, .pinhole, nil, "give a prior for one of them"),
      ([], ["k3"], false, false, .pinhole, 4, "not among the first 4"),
      (["k3=0.1"], [], false, false, .pinhole, 4, "--coefficients 4 holds it at 0"),
      ([], ["k9"], false, false, .rational, nil, "no parameter k9"),
      ([], ["fx=-1000"], false, false, .pinhole, nil, "fx needs a mean above 0"),
      (
        ["fx=1", "fy=1", "centre", "k1", "k2", "k3", "k4"], [], false, false, .fisheye, nil,
        "nothing is left to estimate"
      ),
    ] as [([String], [String], Bool, Bool, LensModel, Int?, String)])
  func refused(
    fix: [String], prior: [String], square: Bool, tangential: Bool, lensModel: LensModel,
    count: Int?, message: String
  ) throws {
    let error = try #require(throws: ConstraintError.self) {
      try Self.constraints(
        squarePixels: square, zeroTangential: tangential,
        fix: fix.map { text in
          let parts = text.split(separator: "=")
          return (String(parts[0]), parts.count > 1 ? Double(parts[1]) : nil)
        },
        prior: prior.map { text in
          let parts = text.split(separator: "=")
          return (String(parts[0]), parts.count > 1 ? try #require(Double(parts[1])) : 1000, 10)
        }, lensModel: lensModel, coefficients: count)
    }
    #expect("\(error)".contains(message), "\(error)")
    #expect(error.option.hasPrefix("--"))
  }

  @Test("Where the lens model is yet to be chosen, what means the same in each can be named")
  func anyLens() throws {
    let all = try Self.constraints(
      squarePixels: true, zeroTangential: true, fix: [("centre", nil)], lensModel: nil)
    #expect(Set(all.fixed.keys) == ["p1", "p2", "cx", "cy"])
    let (fit, _) = try fit(all, lensModel: .fisheye)
    #expect(fit.selection.held["p1"] == nil && fit.selection.held["cx"] != nil)
    let error = try #require(throws: ConstraintError.self) {
      try Self.constraints(fix: [("k1", nil)], lensModel: nil)
    }
    #expect("\(error)".contains("yet to be chosen has no parameter k1; it has fx, fy, cx, "))
  }

  @Test("The same value twice is no contradiction")
  func repeated() throws {
    let twice = try Self.constraints(
      zeroTangential: true, fix: [("p1", 0), ("k3", nil), ("k3", 0)])
    #expect(Set(twice.fixed.keys) == ["p1", "p2", "k3"])
    #expect(try Self.constraints().isEmpty)
  }

  @Test("Guidance in front of a camera knows them, too")
  func live() throws {
    let camera = CameraParameters.example(.pinhole, resolution: Self.resolution)
    let board = PrintedBoard(columns: 9, rows: 6)
    let truth = try SyntheticViews(camera: camera, board: board, count: 6, seed: 71)
    var options = CalibrationOptions(
      board: board.geometry, squareSizeIsKnown: true, jobs: 1)
    options.constraints = try Self.constraints(squarePixels: true, fix: [("centre", nil)])
    var quick = QuickFit(board: board.geometry, resolution: Self.resolution, options: options)
    for view in truth.noisy(sigma: 0.1, seed: 1) {
      let isAdded = quick.add(
        ObservedView(boardPoints: view.boardPoints, pixels: view.pixels))
      #expect(isAdded)
    }
    let k = try #require(quick.solution).camera.intrinsics
    #expect(k.fx == k.fy && k.cx == 639.5 && k.cy == 359.5)
    #expect(quick.p90 != nil)
    #expect(quick.solution?.bend != nil)
  }
}
