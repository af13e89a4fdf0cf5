import CalibrationSolver
import CalibrationStore
import CameraModel

/// What others published for the camera of a set.
struct PublishedCamera: Sendable {
  var fx, fy, cx, cy: Double
  var distortion: [Double]
  /// What is to be expected of it.
  var standing = Standing.agrees

  /// How a publication and the photographs that are here go together.
  enum Standing: Sendable {
    /// Its focal lengths and principal point are ours, within the limits.
    case agrees
    /// Only its focal lengths are; with its principal point and coefficients these photographs
    /// leave at least `factor` times our residuals.
    case principalPointOff(factor: Double)
    /// It is of other photographs: on these it leaves at least `factor` times our residuals.
    case explainsTheseWorse(factor: Double)
  }

  init(
    _ fx: Double, _ fy: Double, _ cx: Double, _ cy: Double, _ distortion: [Double],
    _ standing: Standing = .agrees
  ) {
    (self.fx, self.fy, self.cx, self.cy) = (fx, fy, cx, cy)
    self.distortion = distortion
    self.standing = standing
  }

  func camera(like other: CameraParameters) -> CameraParameters {
    CameraParameters(
      resolution: other.resolution, lensModel: other.lensModel,
      intrinsics: Intrinsics(fx: fx, fy: fy, cx: cx, cy: cy), distortion: distortion)
  }

  /// The RMS of the 2-D residuals of the used points with only the poses fitted, pixels.
  static func rms(_ camera: CameraParameters, on points: CalibrationPoints) throws -> Double {
    var (squares, count) = (0.0, 0)
    for view in points.views where view.used.contains(true) {
      let observed = ObservedView(boardPoints: view.board, pixels: view.pixels, isUsed: view.used)
      let start = try PoseEstimation.start(observed, camera: camera)
      squares += try PoseEstimation.refine(observed, camera: camera, from: start).squares
      count += observed.usedCount
    }
    return (squares / Double(max(1, count))).squareRoot()
  }
}
