package import CameraModel
import Glibc

/// How far from the axis a spline lens is supported by points.
extension CameraParameters {
  /// What `thetaMax` is farther out than the outermost point, so that a corner beside it is seen, too.
  static let reachMargin = 1.02

  /// The same camera, a spline's `thetaMax` set by the largest angle to the axis at which a used point is
  /// seen; other lens models, and a spline without points, as they are.
  ///
  /// The knots move with it: with a knot in use the camera needs to be solved for again.
  ///
  /// - Parameter poses: Where the boards are; nil where that is not known.
  package func reaching(_ views: [ObservedView], poses: [Pose?]) -> CameraParameters {
    guard lensModel == .spline else { return self }
    var largest = 0.0
    for (view, pose) in zip(views, poses) {
      guard let pose else { continue }
      let rotation = RotationMatrix(rotationVector: pose.rotation)
      for (point, isUsed) in zip(view.boardPoints, view.isUsed) where isUsed {
        let place = rotation * point + pose.translation
        largest = max(
          largest, atan2((place.x * place.x + place.y * place.y).squareRoot(), place.z))
      }
    }
    return largest > 0 ? with(thetaMax: largest * Self.reachMargin) : self
  }

  /// Whether a spline's `thetaMax` is where its points have it, as near as matters.
  package func isReaching(_ views: [ObservedView], poses: [Pose?]) -> Bool {
    guard lensModel == .spline else { return true }
    let fitting = reaching(views, poses: poses)
    return abs(fitting.thetaMax / thetaMax - 1) < 0.01
  }

  /// The lens that a fisheye is among splines: without tangential terms and knots.
  ///
  /// - Parameter thetaMax: Radians, above 0.
  package func splined(thetaMax: Double) -> CameraParameters {
    guard lensModel == .fisheye else { return self }
    let k = distortion
    return CameraParameters(
      resolution: resolution, lensModel: .spline, intrinsics: intrinsics,
      distortion: [k[0], k[1], 0, 0, k[2], k[3], 0, 0, 0, min(thetaMax, .pi)])
  }

  private var thetaMax: Double { distortion.last ?? 0 }

  private func with(thetaMax: Double) -> CameraParameters {
    CameraParameters(
      resolution: resolution, lensModel: lensModel, intrinsics: intrinsics,
      distortion: distortion.dropLast() + [min(thetaMax, .pi)])
  }
}
