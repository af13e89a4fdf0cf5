import Glibc

extension CameraParameters {
  /// The pixel at which a point in front of the camera appears; nil where the model has no answer
  /// (for `pinhole` and `rational`: behind or in the plane of the camera).
  ///
  /// - Parameter point: Camera coordinates, any unit of length.
  /// - Returns: A pixel position in the pixel-centre convention; it may lie outside the image.
  public func project(_ point: SIMD3<Double>) -> SIMD2<Double>? {
    guard let distorted = distort(direction: point) else { return nil }
    return SIMD2(
      intrinsics.fx * distorted.x + intrinsics.cx, intrinsics.fy * distorted.y + intrinsics.cy)
  }

  /// The direction that a pixel sees, of length 1; nil where the model can't be inverted.
  ///
  /// Newton's method on the two distortion equations; the result projects back to within 1e-9 px.
  ///
  /// - Parameter pixel: A pixel position in the pixel-centre convention.
  public func unproject(_ pixel: SIMD2<Double>) -> SIMD3<Double>? {
    let target = SIMD2(
      (pixel.x - intrinsics.cx) / intrinsics.fx, (pixel.y - intrinsics.cy) / intrinsics.fy)
    switch lensModel {
    case .pinhole, .rational: return unprojectBrown(target)
    case .fisheye: return unprojectKannalaBrandt(target)
    }
  }

  /// Direction to distorted normalised image coordinates.
  private func distort(direction p: SIMD3<Double>) -> SIMD2<Double>? {
    switch lensModel {
    case .pinhole, .rational:
      guard p.z > 0 else { return nil }
      return distortBrown(SIMD2(p.x / p.z, p.y / p.z))
    case .fisheye:
      let radius = (p.x * p.x + p.y * p.y).squareRoot()
      guard radius > 0 else { return p.z > 0 ? SIMD2(0, 0) : nil }
      let angle = atan2(radius, p.z)
      return SIMD2(p.x, p.y) * (distortedAngle(angle).value / radius)
    }
  }

  private func distortBrown(_ n: SIMD2<Double>) -> SIMD2<Double> {
    let d = distortion
    let rational = lensModel == .rational
    let r2 = n.x * n.x + n.y * n.y
    let numerator = 1 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]))
    let denominator = rational ? 1 + r2 * (d[5] + r2 * (d[6] + r2 * d[7])) : 1
    let radial = numerator / denominator
    let (p1, p2) = (d[2], d[3])
    return SIMD2(
      n.x * radial + 2 * p1 * n.x * n.y + p2 * (r2 + 2 * n.x * n.x),
      n.y * radial + p1 * (r2 + 2 * n.y * n.y) + 2 * p2 * n.x * n.y)
  }

  /// r_d(θ) of Kannala–Brandt and its derivative.
  private func distortedAngle(_ angle: Double) -> (value: Double, derivative: Double) {
    let d = distortion
    let a2 = angle * angle
    let value = angle * (1 + a2 * (d[0] + a2 * (d[1] + a2 * (d[2] + a2 * d[3]))))
    let derivative =
      1 + a2 * (3 * d[0] + a2 * (5 * d[1] + a2 * (7 * d[2] + a2 * 9 * d[3])))
    return (value, derivative)
  }

  private func unprojectBrown(_ target: SIMD2<Double>) -> SIMD3<Double>? {
    var n = target
    for _ in 0..<50 {
      let value = distortBrown(n)
      let error = value - target
      let step = 1e-7
      let dx = (distortBrown(n + SIMD2(step, 0)) - value) / step
      let dy = (distortBrown(n + SIMD2(0, step)) - value) / step
      let determinant = dx.x * dy.y - dx.y * dy.x
      guard determinant > 0 else { return nil }
      let update = SIMD2(
        (error.x * dy.y - error.y * dy.x) / determinant,
        (dx.x * error.y - dx.y * error.x) / determinant)
      n -= update
      guard n.x.isFinite, n.y.isFinite else { return nil }
      if update.x * update.x + update.y * update.y < 1e-26 { break }
    }
    let error = distortBrown(n) - target
    guard (error * error).sum() < 1e-20 else { return nil }
    let ray = SIMD3(n.x, n.y, 1)
    return ray / (ray * ray).sum().squareRoot()
  }

  private func unprojectKannalaBrandt(_ target: SIMD2<Double>) -> SIMD3<Double>? {
    let radius = (target * target).sum().squareRoot()
    guard radius > 0 else { return SIMD3(0, 0, 1) }
    var angle = min(radius, .pi / 2)
    for _ in 0..<50 {
      let (value, derivative) = distortedAngle(angle)
      guard derivative > 0 else { return nil }
      let update = (value - radius) / derivative
      angle -= update
      guard angle >= 0, angle <= .pi else { return nil }
      if abs(update) < 1e-14 { break }
    }
    guard abs(distortedAngle(angle).value - radius) < 1e-10 else { return nil }
    let direction = target / radius * sin(angle)
    return SIMD3(direction.x, direction.y, cos(angle))
  }
}
