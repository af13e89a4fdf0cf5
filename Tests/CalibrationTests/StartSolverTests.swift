import BoardRendering
import CalibrationSolver
import CameraModel
import Testing

@testable import Calibration

/// The package's own start values beside OpenCV's: the fit that follows ends at the same camera.
@Suite struct StartSolverTests {
  @Test(arguments: [LensModel.pinhole, .rational, .fisheye])
  func bothStartsEndAtTheSameCamera(model: LensModel) throws {
    for seed in 0..<6 {
      // Every other image stands upright.
      let resolution =
        seed % 2 == 0
        ? Resolution(width: 1280, height: 720) : Resolution(width: 720, height: 1280)
      let camera = CameraParameters.example(model, resolution: resolution)
      let truth = try SyntheticViews(
        camera: camera, board: PrintedBoard(columns: 9, rows: 6), count: 9 + seed,
        seed: UInt64(60 + seed))
      let views = truth.noisy(sigma: 0.1, seed: UInt64(seed)).map {
        ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels)
      }
      var fitting = LensFitting(
        views: views, resolution: resolution, lensModel: model, coefficientCount: nil, jobs: 1)
      let own = try fitting.fit(sample: Array(views.indices))
      fitting.startSolver = .opencv
      let reference = try fitting.fit(sample: Array(views.indices))
      #expect(own.members == reference.members)
      #expect(own.solution.free == reference.solution.free)
      let deviations = try ParameterCovariance(reference.solution).deviations
      let free = reference.solution.free.indices.filter { reference.solution.free[$0] }
      for (slot, index) in free.enumerated() {
        let difference =
          own.solution.camera.parameterVector[index]
          - reference.solution.camera.parameterVector[index]
        // The bound of what counts as the same minimum.
        #expect(
          abs(difference) < 1e-3 * deviations[slot],
          "\(model) \(seed): \(reference.solution.freeNames[slot])")
      }
    }
  }
}
