import CalibrationSolver
import CameraModel
import OpenCV

/// What finds the camera that a fit begins with.
package enum StartSolver: String, Sendable, Hashable, CaseIterable {
  /// The package's own closed forms, see `CameraStart`.
  case own
  /// OpenCV's calibrateCamera and fisheye::calibrate, the reference.
  case opencv
}

/// Where the least-squares fit begins: a camera, and a pose of the board in every view.
struct StartValues {
  /// A first camera, of the lens model that is asked for.
  var camera: CameraParameters
  /// The pose of each view; nil where none was found.
  var poses: [Pose?]

  /// A start needs no more than this many views, and OpenCV's solver takes time with the cube of their
  /// number: the fit that follows uses all views.
  static let sampleSize = 30

  /// Finds start values from views of one board.
  ///
  /// - Parameters:
  ///   - views: At least 3 views, in the order of the frames.
  ///   - sample: The views that the camera rests on, indices into `views`.
  ///   - free: The parameters that are estimated first.
  ///   - jobs: The number of threads; the result does not depend on it.
  /// - Throws: `SolverError` or `OpenCVError` where no start leads to an answer.
  init(
    _ views: [ObservedView], sample: [Int], resolution: Resolution, lensModel: LensModel,
    free: [Bool], solver: StartSolver, jobs: Int
  ) throws {
    (camera, poses) =
      switch solver {
      case .own:
        try Self.own(
          views, sample: sample, resolution: resolution, lensModel: lensModel, free: free,
          jobs: jobs)
      case .opencv:
        try Self.openCV(views, sample: sample, resolution: resolution, lensModel: lensModel)
      }
    for index in views.indices where poses[index] == nil {
      poses[index] = try? PoseEstimation.start(views[index], camera: camera)
    }
  }

  private static func own(
    _ views: [ObservedView], sample: [Int], resolution: Resolution, lensModel: LensModel,
    free: [Bool], jobs: Int
  ) throws(SolverError) -> (CameraParameters, [Pose?]) {
    let start = try CameraStart(
      views, sample: sample, resolution: resolution, lensModel: lensModel, free: free, jobs: jobs)
    return (start.camera, start.poses)
  }

  private static func openCV(
    _ views: [ObservedView], sample: [Int], resolution: Resolution, lensModel: LensModel
  ) throws(OpenCVError) -> (CameraParameters, [Pose?]) {
    // A rational lens begins as a pinhole with few coefficients: with all eight free from the start,
    // calibrateCamera ends in worse minima than with five.
    // OpenCV has no spline; one begins as a fisheye.
    let model: LensModel =
      switch lensModel {
      case .pinhole, .rational: .pinhole
      case .fisheye, .spline: .fisheye
      }
    let free: [Bool] =
      model == .fisheye ? [true, true, false, false] : [true, true, true, true, false]
    let calibration = try CameraCalibration.calibrate(
      sample.map { BoardView(boardPoints: views[$0].boardPoints, pixels: views[$0].pixels) },
      resolution: resolution, lensModel: model,
      options: CameraCalibration.Options(freeCoefficients: free))
    var poses = [Pose?](repeating: nil, count: views.count)
    for (used, pose) in zip(calibration.usedViews, calibration.poses) {
      poses[sample[used]] = pose
    }
    if lensModel == .spline {
      return (calibration.camera.splined(thetaMax: .pi).reaching(views, poses: poses), poses)
    }
    return (
      CameraParameters(
        resolution: resolution, lensModel: lensModel, intrinsics: calibration.camera.intrinsics,
        distortion: calibration.camera.distortion), poses
    )
  }
}
