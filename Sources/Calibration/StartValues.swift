import CalibrationSolver
import CameraModel

/// Where the least-squares fit begins: a camera, and a pose of the board in every view.
struct StartValues {
  /// A first camera, of the lens model that is asked for.
  var camera: CameraParameters
  /// The pose of each view; nil where none was found.
  var poses: [Pose?]

  /// A start needs no more than this many views: the fit that follows uses all.
  static let sampleSize = 30

  /// Finds start values from views of one board.
  ///
  /// - Parameters:
  ///   - views: At least 3 views, in the order of the frames.
  ///   - sample: The views that the camera rests on, indices into `views`.
  ///   - free: The parameters that are estimated first.
  ///   - jobs: The number of threads; the result does not depend on it.
  /// - Throws: `SolverError` where no start leads to an answer.
  init(
    _ views: [ObservedView], sample: [Int], resolution: Resolution, lensModel: LensModel,
    free: [Bool], jobs: Int
  ) throws(SolverError) {
    let start = try CameraStart(
      views, sample: sample, resolution: resolution, lensModel: lensModel, free: free, jobs: jobs)
    (camera, poses) = (start.camera, start.poses)
    for index in views.indices where poses[index] == nil {
      poses[index] = try? PoseEstimation.start(views[index], camera: camera)
    }
  }
}
