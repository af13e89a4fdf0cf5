import CameraModel
import Glibc

/// How a radius in the image becomes a direction, while nothing better is known.
///
/// Image coordinates are relative to the principal point, in a unit of the caller's.
enum StartCurve {
  /// A plane behind a lens: r/(1 + λ·r²), λ < 0 for a barrel. The one parameter takes up most of what a
  /// lens does, and straightens lines whatever the focal length is.
  ///
  /// Source: Fitzgibbon, "Simultaneous linear estimation of multiple view geometry and lens
  /// distortion", CVPR 2001.
  case division(lambda: Double)
  /// An angle: θ·(1 + k1·θ² + k2·θ⁴) = r/focal.
  case angle(focal: Double, k1: Double, k2: Double)
  /// A plane: x·(1 + k1·x² + k2·x⁴) = r.
  case plane(k1: Double, k2: Double)

  /// Where the points of a view lie in a plane without distortion, and how that plane's axes lie in the
  /// camera: an angle's plane is turned towards the points, so that they may lie anywhere.
  ///
  /// - Parameters:
  ///   - rays: Room for three columns of as many numbers as the view has points. The first two become
  ///     the coordinates in the plane.
  /// - Returns: Camera from plane, the third column towards the plane; nil where a point has no place.
  func flatten(
    _ points: StartPoints, _ view: Int, into rays: UnsafeMutablePointer<Double>
  ) -> RotationMatrix? {
    let count = points.count(view)
    let (u, v) = points.image(view)
    let (x, y, z) = (rays, rays + count, rays + 2 * count)
    switch self {
    case .division(let lambda):
      var index = 0
      while index < count {
        let divisor = 1 + lambda * (u[index] * u[index] + v[index] * v[index])
        guard divisor > 0.02 else { return nil }
        x[index] = u[index] / divisor
        y[index] = v[index] / divisor
        index += 1
      }
      return RotationMatrix(rotationVector: SIMD3())
    case .plane(let k1, let k2):
      var index = 0
      while index < count {
        let squares = u[index] * u[index] + v[index] * v[index]
        guard let ratio = Self.inverse(squares.squareRoot(), k1, k2) else { return nil }
        x[index] = u[index] * ratio
        y[index] = v[index] * ratio
        index += 1
      }
      return RotationMatrix(rotationVector: SIMD3())
    case .angle(let focal, let k1, let k2):
      var sum = SIMD3<Double>()
      var index = 0
      while index < count {
        let radius = (u[index] * u[index] + v[index] * v[index]).squareRoot()
        guard let ratio = Self.inverse(radius / focal, k1, k2) else { return nil }
        let angle = radius / focal * ratio
        guard angle < 3 else { return nil }
        let scale = radius > 0 ? sin(angle) / radius : 1 / focal
        let ray = SIMD3(u[index] * scale, v[index] * scale, cos(angle))
        (x[index], y[index], z[index]) = (ray.x, ray.y, ray.z)
        sum += ray
        index += 1
      }
      let cameraFromPlane = RotationMatrix(turningZTowards: sum)
      let planeFromCamera = cameraFromPlane.transposed
      index = 0
      while index < count {
        let ray = planeFromCamera * SIMD3(x[index], y[index], z[index])
        guard ray.z > 0.02 else { return nil }
        x[index] = ray.x / ray.z
        y[index] = ray.y / ray.z
        index += 1
      }
      return cameraFromPlane
    }
  }

  /// x/r for x·(1 + k1·x² + k2·x⁴) = r; nil beyond the place where the curve turns back.
  private static func inverse(_ radius: Double, _ k1: Double, _ k2: Double) -> Double? {
    guard radius > 0, k1 != 0 || k2 != 0 else { return 1 }
    var x = radius
    for _ in 0..<20 {
      let squares = x * x
      let slope = 1 + squares * (3 * k1 + squares * 5 * k2)
      // Newton from within: where the curve is flat, nearer to the axis.
      guard slope > 0.05 else {
        x *= 0.7
        continue
      }
      let step = (radius - x * (1 + squares * (k1 + squares * k2))) / slope
      x += step
      if abs(step) < 1e-6 * radius { return x > 0 ? x / radius : nil }
    }
    return nil
  }
}
