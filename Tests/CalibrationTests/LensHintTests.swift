import BoardRendering
import CalibrationSolver
import CameraModel
import Testing

@testable import Calibration

@Suite("Lens hint")
struct LensHintTests {
  /// The fit of the wrong model is no start for the right one: it needs one of its own.
  @Test(
    "A wide fisheye that was taken for another lens is told",
    arguments: [LensModel.pinhole, .rational])
  func grosslyWrong(mine: LensModel) throws {
    let resolution = Resolution(width: 1280, height: 960)
    var camera = CameraParameters.example(.fisheye, resolution: resolution)
    camera.intrinsics.fx = 0.28 * 1280
    camera.intrinsics.fy = 0.28 * 1280
    let truth = try SyntheticViews(
      camera: camera, board: PrintedBoard(columns: 9, rows: 6), count: 14, seed: 3)
    let views = truth.noisy(sigma: 0.1, seed: 4).map {
      ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels)
    }
    let sample = Array(views.indices)
    let fitting = LensFitting(
      views: views, resolution: resolution, lensModel: mine, coefficientCount: 4, jobs: 2)
    let fit = try fitting.fit(sample: sample)
    try #require(fit.solution.sigma > LensHint.grossSigma, "sigma \(fit.solution.sigma)")
    let hint = try #require(LensHint.afresh(fit, fitting, sample: sample))
    #expect(hint.contains("try --lens fisheye"), "\(hint)")
    var right = fitting
    right.lensModel = .fisheye
    #expect(LensHint.afresh(try right.fit(sample: sample), right, sample: sample) == nil)
  }
}
