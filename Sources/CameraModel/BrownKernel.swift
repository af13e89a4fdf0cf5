/// Brown–Conrady with three radial and two tangential coefficients; see `LensModel.pinhole`.
package enum PinholeKernel: LensKernel {
  @inlinable package static var parameterCount: Int { 9 }

  @inlinable
  @inline(__always)
  package static func project(
    x: Double, y: Double, z: Double, parameters: UnsafePointer<Double>,
    jacobian: UnsafeMutablePointer<Double>?
  ) -> LensProjection? {
    projectBrown(
      x: x, y: y, z: z, parameters: parameters, jacobian: jacobian, isRational: false, count: 9)
  }
}

/// Brown–Conrady with a rational radial factor; see `LensModel.rational`.
package enum RationalKernel: LensKernel {
  @inlinable package static var parameterCount: Int { 12 }

  @inlinable
  @inline(__always)
  package static func project(
    x: Double, y: Double, z: Double, parameters: UnsafePointer<Double>,
    jacobian: UnsafeMutablePointer<Double>?
  ) -> LensProjection? {
    projectBrown(
      x: x, y: y, z: z, parameters: parameters, jacobian: jacobian, isRational: true, count: 12)
  }
}

/// Both Brown–Conrady models: fx, fy, cx, cy, k1, k2, p1, p2, k3 and, where rational, k4, k5, k6.
///
/// Source of the formulas: OpenCV documentation, module calib3d; the derivatives are ours. Behind
/// the camera and beyond a pole of the rational factor there is no answer.
@inlinable
@inline(__always)
package func projectBrown(
  x pointX: Double, y pointY: Double, z pointZ: Double, parameters q: UnsafePointer<Double>,
  jacobian: UnsafeMutablePointer<Double>?, isRational: Bool, count: Int
) -> LensProjection? {
  guard pointZ > 0 else { return nil }
  let inverseZ = 1 / pointZ
  let x = pointX * inverseZ
  let y = pointY * inverseZ
  let (fx, fy) = (q[0], q[1])
  let r2 = x * x + y * y
  let r4 = r2 * r2
  let r6 = r4 * r2
  // The radial factor and its derivative by r².
  var factor = 1 + r2 * (q[4] + r2 * (q[5] + r2 * q[8]))
  var slope = q[4] + r2 * (2 * q[5] + r2 * 3 * q[8])
  var inverseDenominator = 1.0
  if isRational {
    let denominator = 1 + r2 * (q[9] + r2 * (q[10] + r2 * q[11]))
    guard denominator > 0 else { return nil }
    inverseDenominator = 1 / denominator
    factor *= inverseDenominator
    slope = (slope - factor * (q[9] + r2 * (2 * q[10] + r2 * 3 * q[11]))) * inverseDenominator
  }
  let moved = RadialTangential(
    x: x, y: y, square: r2, factor: factor, slope: slope, p1: q[6], p2: q[7])
  if let jacobian {
    let jacobianV = jacobian + count
    let (ux, vy) = (fx * x * inverseDenominator, fy * y * inverseDenominator)
    moved.fill(jacobian, jacobianV, fx: fx, fy: fy)
    jacobian[4] = ux * r2
    jacobian[5] = ux * r4
    jacobian[8] = ux * r6
    jacobianV[4] = vy * r2
    jacobianV[5] = vy * r4
    jacobianV[8] = vy * r6
    if isRational {
      jacobian[9] = -ux * factor * r2
      jacobian[10] = -ux * factor * r4
      jacobian[11] = -ux * factor * r6
      jacobianV[9] = -vy * factor * r2
      jacobianV[10] = -vy * factor * r4
      jacobianV[11] = -vy * factor * r6
    }
  }
  let (scaleX, scaleY) = (fx * inverseZ, fy * inverseZ)
  let (xByX, xByY, yByY) = (moved.xByX, moved.xByY, moved.yByY)
  return LensProjection(
    u: fx * moved.distortedX + q[2], v: fy * moved.distortedY + q[3],
    uByPoint: (scaleX * xByX, scaleX * xByY, -scaleX * (x * xByX + y * xByY)),
    vByPoint: (scaleY * xByY, scaleY * yByY, -scaleY * (x * xByY + y * yByY)))
}
