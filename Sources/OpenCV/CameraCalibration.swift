package import CameraModel
internal import OpenCVBridge

/// A camera that OpenCV calibrated from views of a board.
package struct CameraCalibration: Sendable {
  package var camera: CameraParameters
  /// The pose of the board in each used view, in the order of `usedViews`.
  package var poses: [Pose]
  /// The views that the calibration rests on, as indices into the views that were given.
  package var usedViews: [Int]
  /// The views that were left out, and why.
  package var leftOut: [LeftOutView]
  /// The root of the mean squared distance between seen and projected points, pixels (OpenCV's
  /// figure).
  package var rms: Double

  /// A view that a calibration was made without.
  package struct LeftOutView: Sendable, Hashable {
    /// The index into the views that were given.
    package var index: Int
    /// Why, in words.
    package var reason: String
  }

  /// Options of one call.
  package struct Options: Sendable, Hashable {
    /// Which distortion coefficients are estimated, in the order of `LensModel.coefficientNames`.
    ///
    /// The others keep their start value, 0 without one. p1 and p2 go together (OpenCV's limit):
    /// unless both are free, both are held.
    package var freeCoefficients: [Bool]
    /// Start values; nil lets OpenCV find some.
    package var start: CameraParameters?
    package var fixesPrincipalPoint = false
    package var fixesFocalLength = false
    package var fixesAspectRatio = false
    package var iterations = 50
    /// OpenCV stops when the relative change of the parameters falls below this.
    package var epsilon = 1e-7

    package init(freeCoefficients: [Bool], start: CameraParameters? = nil) {
      self.freeCoefficients = freeCoefficients
      self.start = start
    }
  }

  /// One call of cv::calibrateCamera with CALIB_USE_LU, or of cv::fisheye::calibrate.
  ///
  /// The cost grows with the cube of the number of views in OpenCV 4.6: 40 views 60 ms, 200 views 3 s.
  ///
  /// - Throws: `invalidArgument`, `exception` (fisheye: also for ill-conditioned views), `outOfMemory`.
  static func single(
    _ views: [BoardView], resolution: Resolution, lensModel: LensModel, options: Options,
    checksCondition: Bool = false
  ) throws(OpenCVError) -> CameraCalibration {
    let operation = "calibrating a \(lensModel.rawValue) lens from \(views.count) views"
    guard lensModel != .spline else {
      throw OpenCVError(
        code: .invalidArgument, operation: operation, message: "OpenCV has no spline lens")
    }
    let names = lensModel.coefficientNames
    guard options.freeCoefficients.count == names.count else {
      throw OpenCVError(
        code: .invalidArgument, operation: operation,
        message: "\(options.freeCoefficients.count) flags for \(names.count) coefficients")
    }
    if let start = options.start, start.lensModel != lensModel {
      throw OpenCVError(
        code: .invalidArgument, operation: operation,
        message: "the start values are those of a \(start.lensModel.rawValue) lens")
    }
    let bridged = try BridgeViews(views, operation: operation)
    // The bridge's Brown entry takes 8 coefficients, whichever model.
    let count = lensModel == .fisheye ? 4 : 8
    let padding = [Bool](repeating: false, count: count - names.count)
    let free = options.freeCoefficients + padding
    var (camera, distortion) = (
      [Double](repeating: 0, count: 4), [Double](repeating: 0, count: count)
    )
    if let start = options.start {
      camera = Array(start.parameterVector.prefix(4))
      distortion.replaceSubrange(0..<names.count, with: start.distortion)
    }
    var flags: UInt32 = 0
    if options.start != nil { flags |= ocvCalibrationUseGuess.rawValue }
    if options.fixesPrincipalPoint { flags |= ocvCalibrationFixPrincipalPoint.rawValue }
    if options.fixesFocalLength { flags |= ocvCalibrationFixFocalLength.rawValue }
    if options.fixesAspectRatio { flags |= ocvCalibrationFixAspectRatio.rawValue }
    if checksCondition { flags |= ocvCalibrationCheckCondition.rawValue }
    let entry = lensModel == .fisheye ? ocvCalibrateFisheye : ocvCalibrateCamera
    var poses = [Double](repeating: 0, count: 6 * views.count)
    var rms = 0.0
    let (status, message) = withBridgeMessage { text, size in
      bridged.withViews { views in
        entry(
          views, Int32(clamping: resolution.width), Int32(clamping: resolution.height), free, flags,
          Int32(clamping: options.iterations), options.epsilon, &camera, &distortion, &poses,
          poses.count, &rms, text, size)
      }
    }
    guard status == ocvStatusOK else {
      throw OpenCVError(status: status, operation: operation, message: message)
    }
    guard (camera + distortion + poses + [rms]).allSatisfy(\.isFinite) else {
      throw OpenCVError(
        code: .exception, operation: operation, message: "the result is not finite")
    }
    return CameraCalibration(
      camera: CameraParameters(
        resolution: resolution, lensModel: lensModel,
        parameterVector: camera + distortion.prefix(names.count)),
      poses: views.indices.map { view in
        let p = poses[6 * view..<6 * view + 6].map { $0 }
        return Pose(rotation: SIMD3(p[0], p[1], p[2]), translation: SIMD3(p[3], p[4], p[5]))
      },
      usedViews: Array(views.indices), leftOut: [], rms: rms)
  }
}
