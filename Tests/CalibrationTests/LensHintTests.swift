import BoardRendering
import CalibrationSolver
import CalibrationStore
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
    let hint = try #require(Self.hint(fit, fitting))
    #expect(hint.text.contains("Use --lens fisheye without --coefficients: "), "\(hint)")
    var right = fitting
    right.lensModel = .fisheye
    #expect(Self.hint(try right.fit(sample: sample), right)?.lensModel != .pinhole)
    right.coefficientCount = nil
    let sigma = try #require(try right.fit(sample: sample).selection.heldOut?.sigma)
    #expect(hint.text.contains("held-out sigma \(fixed(sigma, 3)) px against"), "\(hint)")
  }

  private static func hint(_ fit: LensFit, _ fitting: LensFitting) -> LensHint? {
    let sample = Array(fitting.views.indices)
    return LensHint(fit, fitting, sample: sample)
  }

  @Test(
    "The figures of a hint are the result's and those that the other model gives when asked for",
    arguments: [LensModel.pinhole, .rational, .spline])
  func figures(mine: LensModel) throws {
    let resolution = Resolution(width: 1280, height: 960)
    var camera = CameraParameters.example(
      mine == .spline ? .fisheye : mine == .pinhole ? .rational : .pinhole, resolution: resolution)
    if mine == .pinhole {
      camera = CameraParameters(
        resolution: resolution, lensModel: .fisheye,
        intrinsics: Intrinsics(fx: 640, fy: 641, cx: 642, cy: 478),
        distortion: [-0.03, 0.004, 0, 0])
    }
    let truth = try SyntheticViews(
      camera: camera, board: PrintedBoard(columns: 9, rows: 6), count: 14, seed: 5)
    var views = truth.noisy(sigma: 0.1, seed: 4).map {
      ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels)
    }
    // Points that are off are left out by each model in its own way.
    for view in views.indices { views[view].pixels[3 * view] += SIMD2(0.6, -0.5) }
    let fitting = LensFitting(
      views: views, resolution: resolution, lensModel: mine, coefficientCount: nil, jobs: 2)
    let sample = Array(views.indices)
    let fit = try fitting.fit(sample: sample)
    let hint = try #require(Self.hint(fit, fitting), "\(mine)")
    var asked = fitting
    asked.lensModel = hint.lensModel
    let other = try SettledFit(asked, sample: sample, isCancelled: { false }).fit
    let own = try #require(fit.selection.heldOut?.sigma)
    let theirs = try #require(other.selection.heldOut?.sigma)
    #expect(hint.text.contains("\(fixed(own, 3)) px"), "\(hint), not \(own)")
    #expect(hint.text.contains("\(fixed(theirs, 3)) px"), "\(hint), not \(theirs)")
  }

  @Test("Of many views a part is looked at, and this is said")
  func part() throws {
    let resolution = Resolution(width: 1280, height: 960)
    let truth = try SyntheticViews(
      camera: .example(.pinhole, resolution: resolution),
      board: PrintedBoard(columns: 5, rows: 4), count: 66, seed: 5)
    let views = truth.noisy(sigma: 0.1, seed: 4).map {
      ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels)
    }
    let fitting = LensFitting(
      views: views, resolution: resolution, lensModel: .fisheye, coefficientCount: nil, jobs: 2)
    let fit = try fitting.fit(sample: Array(0..<20))
    let hint = try #require(Self.hint(fit, fitting))
    #expect(hint.lensModel == .pinhole)
    #expect(hint.text.hasSuffix(" px with fisheye (60 of the 66 views)."), "\(hint)")
  }
}
