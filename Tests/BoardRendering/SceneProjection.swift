package import CameraModel
import Glibc

/// A projection that gives every point of a scene a place, for drawing boards that reach out of view.
///
/// Where the camera's own model is monotone it is the camera's. Beyond that (a polynomial folds over
/// somewhere outside the image, and nothing behind the camera has a pixel) points move straight on
/// outwards, so that an edge which leaves the image does not come back into it.
package struct SceneProjection: Sendable {
  package let camera: CameraParameters
  /// The largest angle to the optical axis, in radians, up to which the camera's model is used.
  private let limit: Double

  package init(_ camera: CameraParameters) {
    self.camera = camera
    limit = Self.monotoneLimit(of: camera)
  }

  /// Whether a point of the camera frame is drawn where the camera's own model puts it.
  package func isFaithful(at point: SIMD3<Double>) -> Bool {
    atan2((point.x * point.x + point.y * point.y).squareRoot(), point.z) <= limit
  }

  /// The pixel (centre convention) at which a point of the camera frame is drawn.
  package func callAsFunction(_ point: SIMD3<Double>) -> SIMD2<Double> {
    let radius = (point.x * point.x + point.y * point.y).squareRoot()
    let angle = atan2(radius, point.z)
    if angle <= limit, let pixel = camera.project(point) { return pixel }
    let (cosine, sine) = radius > 0 ? (point.x / radius, point.y / radius) : (1, 0)
    let rim = SIMD3(cosine * sin(limit), sine * sin(limit), cos(limit))
    let start = camera.project(rim) ?? SIMD2(camera.intrinsics.cx, camera.intrinsics.cy)
    return start
      + SIMD2(camera.intrinsics.fx * cosine, camera.intrinsics.fy * sine) * (angle - limit)
  }

  /// The first angle at which, in one of eight directions, a step away from the axis moves the pixel
  /// outwards by less than a tenth of what it does at the axis.
  private static func monotoneLimit(of camera: CameraParameters) -> Double {
    let step = 0.01
    let end = camera.lensModel.isAngular ? 3.1 : 1.55
    var limit = end
    for direction in 0..<8 {
      let azimuth = Double(direction) * .pi / 4
      let (c, s) = (cos(azimuth), sin(azimuth))
      var previous = 0.0
      var angle = step
      while angle < limit {
        let point = SIMD3(c * sin(angle), s * sin(angle), cos(angle))
        guard let pixel = camera.project(point) else { break }
        let x = (pixel.x - camera.intrinsics.cx) / camera.intrinsics.fx
        let y = (pixel.y - camera.intrinsics.cy) / camera.intrinsics.fy
        let outwards = x * c + y * s
        if outwards - previous < 0.1 * step { break }
        previous = outwards
        angle += step
      }
      limit = min(limit, angle - step)
    }
    return limit
  }
}
