import CalibrationSolver
import CameraModel
import OpenCV
import Testing

/// The same points through OpenCV, run to its end: the same minimum.
@Suite("the reference")
struct ReferenceTests {
  @Test(arguments: [TestCamera.pinhole, TestCamera.fisheye])
  func sameMinimumAsOpenCV(camera: CameraParameters) throws {
    for seed in 0..<4 {
      let truth = SyntheticViews(camera: camera, views: 12, seed: 30 + seed)
      // calibrateCamera takes single precision: both get the same numbers.
      let board = truth.boardPoints.map { point in
        SIMD3(Double(Float(point.x)), Double(Float(point.y)), 0)
      }
      let views = truth.observed(sigma: 0.2, seed: seed).map { view in
        ObservedView(
          boardPoints: board,
          pixels: view.pixels.map { SIMD2(Double(Float($0.x)), Double(Float($0.y))) })
      }
      let free = camera.lensModel.parameterNames.map { _ in true }
      let start = try CameraStart(
        views, resolution: camera.resolution, lensModel: camera.lensModel)
      let own = try BundleAdjustment.solve(
        SolverProblem(
          camera: start.camera, views: views, poses: start.poses.compactMap { $0 }, free: free))
      var options = CameraCalibration.Options(
        freeCoefficients: camera.lensModel.coefficientNames.map { _ in true })
      options.iterations = 300
      options.epsilon = 1e-15
      let reference = try CameraCalibration.calibrate(
        views.map { BoardView(boardPoints: $0.boardPoints, pixels: $0.pixels) },
        resolution: camera.resolution, lensModel: camera.lensModel, options: options)
      // OpenCV 4.10 and 5.0 stop at three or four of these views, 4.6 at none: no minimum to compare.
      if camera.lensModel == .fisheye, seed == 2, !OpenCVLibrary.version.hasPrefix("4.6.") {
        #expect((8..<views.count).contains(reference.usedViews.count))
        continue
      }
      try #require(reference.usedViews == Array(views.indices))

      let deviations = try ParameterCovariance(own).noise.enumerated().map {
        $1[$0].squareRoot()
      }
      let parameters = zip(own.camera.parameterVector, reference.camera.parameterVector)
      for (index, (ours, theirs)) in parameters.enumerated() {
        let off = abs(ours - theirs) / deviations[index]
        #expect(off < 1e-3, "\(camera.lensModel) \(own.freeNames[index]): \(off) deviations")
      }
      // OpenCV's answer through our projection: its own figure has other rounding.
      var squares = 0.0
      for (view, pose) in zip(views, reference.poses) {
        for (point, pixel) in zip(view.boardPoints, view.pixels) {
          let difference = try #require(reference.camera.project(pose(point))) - pixel
          squares += (difference * difference).sum()
        }
      }
      let points = Double(views.count * board.count)
      #expect(own.rms * own.rms <= squares / points * (1 + 1e-9), "\(camera.lensModel) \(seed)")
    }
  }
}
