import CalibrationSolver
import CameraModel
import OpenCV

extension HardProblem {
  /// The problem with all its parameters free, from what OpenCV makes of it, with few coefficients; nil where
  /// OpenCV gives up.
  func fromOpenCV() -> SolverProblem? {
    let isRational = camera.lensModel == .rational
    let free = camera.lensModel == .fisheye ? 4 : isRational ? 4 : 5
    let answer = try? CameraCalibration.calibrate(
      views.map { BoardView(boardPoints: $0.boardPoints, pixels: $0.pixels) },
      resolution: camera.resolution, lensModel: isRational ? .pinhole : camera.lensModel,
      options: .init(
        freeCoefficients: (isRational ? LensModel.pinhole : camera.lensModel).coefficientNames
          .indices.map { $0 < free }))
    guard let answer, !answer.usedViews.isEmpty else { return nil }
    let start = CameraParameters(
      resolution: camera.resolution, lensModel: camera.lensModel,
      intrinsics: answer.camera.intrinsics, distortion: answer.camera.distortion)
    var poses = [Pose?](repeating: nil, count: views.count)
    for (view, pose) in zip(answer.usedViews, answer.poses) { poses[view] = pose }
    for (index, view) in views.enumerated() where poses[index] == nil {
      poses[index] = try? PoseEstimation.start(view, camera: start)
    }
    let found = poses.compactMap { $0 }
    guard found.count == views.count else { return nil }
    return SolverProblem(camera: start, views: views, poses: found)
  }
}
