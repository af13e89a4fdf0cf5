/// Kannala–Brandt with four coefficients: fx, fy, cx, cy, k1, k2, k3, k4; see `LensModel.fisheye`.
///
/// Directions beyond 90° are seen too; only the point at the camera itself and the backward axis
/// have no image.
package enum KannalaBrandtKernel: LensKernel {
  @inlinable package static var parameterCount: Int { 8 }

  @inlinable
  @inline(__always)
  package static func project(
    x: Double, y: Double, z: Double, parameters q: UnsafePointer<Double>,
    jacobian: UnsafeMutablePointer<Double>?
  ) -> LensProjection? {
    guard let map = AngleMap(x: x, y: y, z: z) else { return nil }
    let angleByRadius = map.angleByRadius
    let a2 = map.angle * map.angle
    // θ_d/θ, and what dθ_d/dθ has more than that, in units of θ².
    let ratio = 1 + a2 * (q[4] + a2 * (q[5] + a2 * (q[6] + a2 * q[7])))
    let excess = 2 * q[4] + a2 * (4 * q[5] + a2 * (6 * q[6] + a2 * 8 * q[7]))
    // x' = x·s(r, z) with s = θ_d/r. Then ∂x'/∂X = s + x²·a, ∂x'/∂Z = x·s_z, s_z = −θ_d'/ρ²,
    // a = (θ_d'·z/ρ² − s)/r²: that of θ itself, times the ratio, and what the excess adds.
    let inverse2 = 1 / map.distance2
    let curvature =
      ratio * map.curvature + excess * angleByRadius * angleByRadius * (z * inverse2)
    let scale = ratio * angleByRadius
    let scaleByZ = -(ratio + a2 * excess) * inverse2
    let (fx, fy) = (q[0], q[1])
    let (distortedX, distortedY) = (x * scale, y * scale)
    if let jacobian {
      let jacobianV = jacobian + 8
      let ux = fx * x * angleByRadius
      let vy = fy * y * angleByRadius
      let a4 = a2 * a2
      fillIntrinsics(jacobian, jacobianV, x: distortedX, y: distortedY)
      jacobian[4] = ux * a2
      jacobian[5] = ux * a4
      jacobian[6] = ux * a4 * a2
      jacobian[7] = ux * a4 * a4
      jacobianV[4] = vy * a2
      jacobianV[5] = vy * a4
      jacobianV[6] = vy * a4 * a2
      jacobianV[7] = vy * a4 * a4
    }
    let mixed = x * y * curvature
    return LensProjection(
      u: fx * distortedX + q[2], v: fy * distortedY + q[3],
      uByPoint: (fx * (scale + x * x * curvature), fx * mixed, fx * x * scaleByZ),
      vByPoint: (fy * mixed, fy * (scale + y * y * curvature), fy * y * scaleByZ))
  }
}
