import CalibrationSolver
import CameraModel
import OpenCV

/// Where the least-squares fit begins: a camera by OpenCV, and a pose of the board in every view.
struct StartValues {
  /// A first camera, of the lens model that is asked for.
  var camera: CameraParameters
  /// The pose of each view; nil where none was found.
  var poses: [Pose?]

  /// OpenCV's solver takes time with the cube of the number of views, and a start needs no more than
  /// this many: the fit that follows uses all views.
  static let sampleSize = 30

  /// Finds start values from views of one board.
  ///
  /// - Parameter views: At least 3 views, in the order of the frames.
  /// - Throws: `OpenCVError` where no start leads to an answer.
  init(
    _ views: [ObservedView], sample: [Int], resolution: Resolution, lensModel: LensModel
  ) throws(OpenCVError) {
    // A rational lens begins as a pinhole with few coefficients: with all eight free from the start,
    // calibrateCamera ends in worse minima than with five.
    let model: LensModel = lensModel == .rational ? .pinhole : lensModel
    let free: [Bool] =
      model == .fisheye ? [true, true, false, false] : [true, true, true, true, false]
    let boards = views.map { BoardView(boardPoints: $0.boardPoints, pixels: $0.pixels) }
    let calibration = try CameraCalibration.calibrate(
      sample.map { boards[$0] }, resolution: resolution, lensModel: model,
      options: CameraCalibration.Options(freeCoefficients: free))
    let camera = CameraParameters(
      resolution: resolution, lensModel: lensModel, intrinsics: calibration.camera.intrinsics,
      distortion: calibration.camera.distortion)
    self.camera = camera
    poses = Array(repeating: nil, count: views.count)
    for (used, pose) in zip(calibration.usedViews, calibration.poses) {
      poses[sample[used]] = pose
    }
    for index in views.indices where poses[index] == nil {
      poses[index] = try? PoseEstimation.start(views[index], camera: camera)
    }
  }
}
