package import CameraModel
import Glibc

/// How far out a lens model says something, where that is not the whole image.
package struct RadialReach: Sendable, Hashable {
  /// The angle to the optical axis beyond which the model says nothing, radians, to 0.1°.
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
      let (x, y) = ((pixel.x - k.cx) / k.fx, (pixel.y - k.cy) / k.fy)
      return (x * x + y * y).squareRoot()
    }
    corner = camera.imageCorners.max { radius($0) < radius($1) } ?? SIMD2()
    let needed = radius(corner)
    let isSpline = camera.lensModel == .spline
    var radial = camera.parameterVector
    (radial[0], radial[1], radial[2], radial[3]) = (1, 1, 0, 0)
    // Without tangential terms, which a fisheye does not have.
    if camera.lensModel != .fisheye { (radial[6], radial[7]) = (0, 0) }
    let lens = CameraParameters(
      resolution: camera.resolution, lensModel: camera.lensModel, parameterVector: radial)
    // Steps of 0.1° to just below the plane of the camera (fisheye: to the backward axis; spline: to where
    // its points end).
    let limit = isSpline ? lens.distortion[9] * 1800 / .pi : 1795
    let end = camera.lensModel.isAngular ? Int(max(0, min(1795, limit))) : 899
    var (reached, steps) = (0.0, 0)
    while steps < end {
      let angle = Double(steps + 1) * 0.1 * .pi / 180
      guard let next = lens.project(SIMD3(sin(angle), 0, cos(angle)))?.x, next > reached else {
        break
      }
      reached = next
      steps += 1
      if reached >= needed { return nil }
    }
    isEndOfPoints = isSpline && steps == end
    angle = isEndOfPoints ? min(.pi, max(0, lens.distortion[9])) : Double(steps) * 0.1 * .pi / 180
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
