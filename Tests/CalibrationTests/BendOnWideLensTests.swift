import BoardRendering
import Boards
import CalibrationSolver
import CameraModel
import Testing

@testable import Calibration

/// A lens whose coefficients are many, and all needed: what a bend could imitate as long as some are missing.
@Suite("The bend of a board before a wide rational lens")
struct BendOnWideLensTests {
  /// Near r = atan(r), whose tangent has this fraction in front: 110° across.
  static let camera = CameraParameters(
    resolution: Resolution(width: 1280, height: 960), lensModel: .rational,
    intrinsics: Intrinsics(fx: 450, fy: 451, cx: 645, cy: 475),
    distortion: [0.7778, 0.0677, 0.0004, -0.0003, 0.0005, 1.1111, 0.2381, 0.004])

  private func fitting(_ bend: SIMD2<Double>) throws -> LensFitting {
    let views = try SyntheticViews(
      camera: Self.camera, board: BoardBendTests.board(bend), count: 16, seed: 51
    ).noisy(sigma: 0.1, seed: 51)
    var fitting = LensFitting(
      views.map { ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels) },
      resolution: Self.camera.resolution,
      CalibrationOptions(
        board: BoardBendTests.geometry, squareSizeIsKnown: true, jobs: 1))
    fitting.lensModel = .rational
    return fitting
  }

  private func squares(_ fit: LensFit) -> Double {
    zip(fit.views, fit.solution.residuals).reduce(0) { sum, view in
      sum + zip(view.0.isUsed, view.1).reduce(0) { $0 + ($1.0 ? ($1.1 * $1.1).sum() : 0) }
    }
  }

  @Test(
    "The denominator is found, with a flat board and a bent one",
    arguments: [SIMD2(0, 0), SIMD2(0.0005, -0.0003)], [nil, 8])
  func denominator(bend: SIMD2<Double>, coefficients: Int?) throws {
    var fitting = try fitting(bend)
    fitting.coefficientCount = coefficients
    let fit = try fitting.fit(sample: Array(fitting.views.indices))
    #expect(fit.solution.sigma < 0.11)
    #expect(fit.selection.held["k4"] == nil)
    #expect(fit.dropped.isEmpty)
    let covariance = try ParameterCovariance(fit.solution)
    let deviation = try #require(covariance.standardDeviations["fx"])
    #expect(abs(fit.solution.camera.intrinsics.fx - 450) < 4 * deviation)
    #expect(deviation < 1)
    let (found, known) = (
      try #require(fit.solution.bend), try #require(covariance.bendDeviations)
    )
    #expect(abs(found.sagitta.x - bend.x) < 4 * known.x)
    #expect(abs(found.sagitta.y - bend.y) < 4 * known.y)
  }

  @Test("What is held or fixed stays there, whichever minimum is the lowest")
  func held() throws {
    var fitting = try fitting(SIMD2())
    let names = fitting.lensModel.parameterNames
    fitting.coefficientCount = 6
    let six = try fitting.fit(sample: Array(fitting.views.indices)).solution.camera
    #expect(six.distortion[6] == 0 && six.distortion[7] == 0)
    fitting.coefficientCount = 8
    fitting.constraints = try ConstraintTests.constraints(
      fix: [("k5", 0.2381)], lensModel: .rational)
    let fit = try fitting.fit(sample: Array(fitting.views.indices))
    #expect(fit.solution.camera.distortion[6] == 0.2381)
    for (name, reason) in fit.selection.held where reason.hasPrefix("held at 0:") {
      let index = try #require(names.firstIndex(of: name))
      #expect(fit.solution.camera.parameterVector[index] == 0)
    }
  }

  @Test("An estimated bend never costs more than a flat board on the same points")
  func neverWorse() throws {
    for lensModel in [LensModel.pinhole, .rational, .fisheye] {
      var fitting = try fitting(SIMD2(0.0005, -0.0003))
      fitting.lensModel = lensModel
      fitting.keepsOutliers = true
      for count in [4, 8] where count <= lensModel.coefficientNames.count {
        fitting.coefficientCount = count
        let bent = try fitting.fit(sample: Array(fitting.views.indices))
        var flat = fitting
        flat.shape = nil
        let plain = try flat.fit(sample: Array(fitting.views.indices))
        #expect(squares(bent) <= squares(plain) * (1 + 1e-6), "\(lensModel) \(count)")
      }
    }
  }
}
