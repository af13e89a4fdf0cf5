/// A spline of degree 4 in θ² over the angle θ, with tangential terms: fx, fy, cx, cy, k1, k2, p1, p2, k3,
/// k4, s1, s2, s3, thetaMax; see `LensModel.spline`.
///
/// As with Kannala–Brandt directions beyond 90° are seen too, up to thetaMax: beyond it the model has no
/// answer, because no point supported it there.
package enum SplineKernel: LensKernel {
  @inlinable package static var parameterCount: Int { 14 }

  /// Where the knots lie, as shares of thetaMax²: each halves what the ones before it leave.
  @inlinable package static var knots: (Double, Double, Double) { (0.5, 0.25, 0.75) }

  @inlinable
  @inline(__always)
  package static func project(
    x: Double, y: Double, z: Double, parameters: UnsafePointer<Double>,
    jacobian: UnsafeMutablePointer<Double>?
  ) -> LensProjection? {
    project(
      x: x, y: y, z: z, parameters: parameters, jacobian: jacobian, stopsAtLimit: true)
  }

  /// The same, perhaps beyond thetaMax.
  ///
  /// - Parameter stopsAtLimit: Whether there is no answer beyond thetaMax. A solver goes on with the last
  ///   piece there: on its way poses swing out farther than where they end.
  @inlinable
  @inline(__always)
  package static func project(
    x: Double, y: Double, z: Double, parameters q: UnsafePointer<Double>,
    jacobian: UnsafeMutablePointer<Double>?, stopsAtLimit: Bool
  ) -> LensProjection? {
    guard let map = AngleMap(x: x, y: y, z: z) else { return nil }
    let (angle, angleByRadius, curvature) = (map.angle, map.angleByRadius, map.curvature)
    let limit = q[13]
    if stopsAtLimit, !(angle <= limit) { return nil }
    let (a, b) = (x * angleByRadius, y * angleByRadius)
    let t = angle * angle
    // What t is beyond each knot, and the powers of it.
    let square = limit * limit
    let d1 = max(0, t - knots.0 * square)
    let d2 = max(0, t - knots.1 * square)
    let d3 = max(0, t - knots.2 * square)
    let (c1, c2, c3) = (d1 * d1 * d1, d2 * d2 * d2, d3 * d3 * d3)
    let (e1, e2, e3) = (c1 * d1, c2 * d2, c3 * d3)
    // The radial factor and its derivative by t.
    let factor =
      1 + t * (q[4] + t * (q[5] + t * (q[8] + t * q[9]))) + q[10] * e1 + q[11] * e2 + q[12] * e3
    let slope =
      q[4] + t * (2 * q[5] + t * (3 * q[8] + t * 4 * q[9]))
      + 4 * (q[10] * c1 + q[11] * c2 + q[12] * c3)
    let moved = RadialTangential(
      x: a, y: b, square: t, factor: factor, slope: slope, p1: q[6], p2: q[7])
    let (fx, fy) = (q[0], q[1])
    if let jacobian {
      let jacobianV = jacobian + 14
      let (ua, vb) = (fx * a, fy * b)
      let t2 = t * t
      moved.fill(jacobian, jacobianV, fx: fx, fy: fy)
      jacobian[4] = ua * t
      jacobian[5] = ua * t2
      jacobian[8] = ua * t2 * t
      jacobian[9] = ua * t2 * t2
      jacobian[10] = ua * e1
      jacobian[11] = ua * e2
      jacobian[12] = ua * e3
      jacobianV[4] = vb * t
      jacobianV[5] = vb * t2
      jacobianV[8] = vb * t2 * t
      jacobianV[9] = vb * t2 * t2
      jacobianV[10] = vb * e1
      jacobianV[11] = vb * e2
      jacobianV[12] = vb * e3
      let byLimit =
        -8 * limit * (q[10] * c1 * knots.0 + q[11] * c2 * knots.1 + q[12] * c3 * knots.2)
      jacobian[13] = ua * byLimit
      jacobianV[13] = vb * byLimit
    }
    // By a and b, then by the point.
    let (xByA, xByB) = (fx * moved.xByX, fx * moved.xByY)
    let (yByA, yByB) = (fy * moved.xByY, fy * moved.yByY)
    let aByX = angleByRadius + x * x * curvature
    let aByY = x * y * curvature
    let bByY = angleByRadius + y * y * curvature
    let (aByZ, bByZ) = (-x / map.distance2, -y / map.distance2)
    return LensProjection(
      u: fx * moved.distortedX + q[2], v: fy * moved.distortedY + q[3],
      uByPoint: (xByA * aByX + xByB * aByY, xByA * aByY + xByB * bByY, xByA * aByZ + xByB * bByZ),
      vByPoint: (yByA * aByX + yByB * aByY, yByA * aByY + yByB * bByY, yByA * aByZ + yByB * bByZ))
  }
}
