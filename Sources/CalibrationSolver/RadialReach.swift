package import CameraModel
import Glibc

/// How far out a lens model says something, where that is not the whole image.
package struct RadialReach: Sendable, Hashable {
  /// The angle to the optical axis beyond which the model says nothing, radians: where a spline ends, or to
  /// 0.1°.
  package var angle: Double
  /// The corner of the image that is farthest from the principal point, pixel-centre convention.
  package var corner: SIMD2<Double>
  /// The share of the way from the principal point to that corner that is covered, 0…1.
  package var share: Double
  /// The same in pixels.
  package var radius: Double
  /// Whether a spline ends there with its points; else the distorted radius stops growing, or has a pole.
  package var isEndOfPoints: Bool

  /// Follows the radial part from the axis outwards; nil where it covers the farthest corner.
  package init?(_ camera: CameraParameters) {
    let k = camera.intrinsics
    func radius(_ pixel: SIMD2<Double>) -> Double {
      let place = k.place(of: pixel)
      return (place * place).sum().squareRoot()
    }
    corner = camera.imageCorners.max { radius($0) < radius($1) } ?? SIMD2()
    let needed = radius(corner)
    let isSpline = camera.lensModel == .spline
    let lens = camera.radialPart
    // Steps of 0.1° to just below the plane of the camera (fisheye: to the backward axis; spline: to where
    // its points end, the last step a shorter one).
    let tenth = { (steps: Int) in Double(steps) * 0.1 * .pi / 180 }
    var end = tenth(camera.lensModel.isAngular ? 1795 : 899)
    // A direction at the very limit may be rounded to one beyond.
    if isSpline { end = min(end, max(0, lens.distortion[9] * (1 - 1e-9))) }
    var (reached, covered, steps) = (0.0, 0.0, 0)
    while covered < end {
      let next = min(tenth(steps + 1), end)
      guard let x = lens.project(SIMD3(sin(next), 0, cos(next)))?.x, x > reached else { break }
      (reached, covered) = (x, next)
      steps += 1
      if reached >= needed { return nil }
    }
    isEndOfPoints = isSpline && covered == end
    angle = isEndOfPoints ? min(.pi, max(0, lens.distortion[9])) : covered
    share = reached / needed
    let way = (corner - SIMD2(k.cx, k.cy)) * share
    self.radius = (way * way).sum().squareRoot()
  }

  /// "95.3° to the axis, 412 px from the principal point".
  package var text: String {
    let tenths = Int((angle * 1800 / .pi).rounded())
    return "\(tenths / 10).\(tenths % 10)° to the axis, \(Int(radius.rounded())) px from the "
      + "principal point"
  }
}

extension CameraParameters {
  /// The radial curve alone, in focal lengths from the principal point: without tangential terms it is the
  /// same in every direction.
  var radialPart: CameraParameters {
    var radial = parameterVector
    (radial[0], radial[1], radial[2], radial[3]) = (1, 1, 0, 0)
    // A fisheye has no tangential terms.
    if lensModel != .fisheye { (radial[6], radial[7]) = (0, 0) }
    return CameraParameters(resolution: resolution, lensModel: lensModel, parameterVector: radial)
  }
}

extension Intrinsics {
  /// Where a pixel lies in focal lengths from the principal point.
  func place(of pixel: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2((pixel.x - cx) / fx, (pixel.y - cy) / fy)
  }
}
