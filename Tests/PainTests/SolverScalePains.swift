import BoardRendering
import CalibrationSolver
import CameraModel
import Testing

@testable import Calibration

/// What goes wrong with many views, and with few that are hard.
@Suite struct SolverScalePains {
  private func fitting(_ views: [SyntheticViews.View], _ resolution: Resolution) -> LensFitting {
    LensFitting(
      views: views.map { ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels) },
      resolution: resolution, lensModel: .pinhole, coefficientCount: nil, jobs: 2)
  }

  /// Pain 33: with more than a hundred views the solver takes hours.
  ///
  /// Everything from start values to the choice of coefficients and the search for stray views.
  @Test func hundredsOfViewsTakeHours() throws {
    let camera = CameraParameters.example(.pinhole)
    let truth = try SyntheticViews(camera: camera, board: Scenes.board, count: 300, seed: 33)
    let start = ContinuousClock.now
    let fit = try fitting(truth.noisy(sigma: 0.1, seed: 1), camera.resolution)
      .fit(sample: Array(stride(from: 0, to: 300, by: 10)))
    let duration = ContinuousClock.now - start
    print("300 views: \(duration)")
    // Some two seconds of processor; the rest is for machines with other things to do.
    #expect(duration < .seconds(60))
    #expect(fit.members.count == 300)
    #expect(abs(fit.solution.camera.intrinsics.fx - camera.intrinsics.fx) < 0.2)
  }

  /// Pain 40: a start whose cy is computed from the width ends at a negative focal length.
  @Test(arguments: [Resolution(width: 1920, height: 1080), Resolution(width: 1080, height: 1920)])
  func focalLengthsTurnNegative(resolution: Resolution) throws {
    let camera = CameraParameters.example(.pinhole, resolution: resolution)
    for seed in 0..<10 {
      // Four small, strongly tilted views.
      let truth = try SyntheticViews(
        camera: camera, board: Scenes.board, count: 4,
        ranges: PoseRanges(cover: 0.2...0.3, tiltDegrees: 35...60, rollDegrees: -180...180),
        seed: UInt64(400 + seed))
      let fit = try fitting(truth.noisy(sigma: 0.1, seed: UInt64(seed)), resolution)
        .fit(sample: [0, 1, 2, 3])
      let found = fit.solution.camera.intrinsics
      #expect(found.fx > 0 && found.fy > 0, "seed \(seed): \(found)")
      #expect(abs(found.fx / camera.intrinsics.fx - 1) < 0.1, "seed \(seed): \(found)")
    }
  }
}
