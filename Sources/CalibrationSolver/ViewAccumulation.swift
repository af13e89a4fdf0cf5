import CameraModel

/// The inner loop: residuals and normal-equation block of one view.
enum ViewAccumulation {
  /// Adds up JᵀJ, Jᵀr and rᵀr of one view.
  ///
  /// A row of the Jacobian is [free shared parameters | turn of the board about its origin, axes of
  /// the camera | shift | residual]; the block is the upper triangle of the sum of their outer
  /// products. With Y = R·X, X_camera = Y + t and g = ∂u/∂X_camera, the turn's part is Y × g, the
  /// shift's g.
  ///
  /// - Parameters:
  ///   - points: `count` points as in `PackedViews`.
  ///   - pose: R row by row, then t: 12 numbers.
  ///   - free: The `freeCount` indices of the free parameters.
  ///   - scratch: Room for 2·parameters + 2·(freeCount + 7) numbers.
  ///   - block: (freeCount + 7)² numbers, row by row; overwritten.
  ///   - residuals: Two numbers a point, projected − seen; not a number where there is no projection.
  /// - Returns: Whether the camera sees all used points.
  static func accumulate<Kernel: LensKernel>(
    _ kernel: Kernel.Type, parameters: UnsafePointer<Double>, points: UnsafePointer<Double>,
    count: Int, pose: UnsafePointer<Double>, free: UnsafePointer<Int>, freeCount: Int,
    scratch: UnsafeMutablePointer<Double>, block: UnsafeMutablePointer<Double>,
    residuals: UnsafeMutablePointer<Double>
  ) -> Bool {
    let width = freeCount + 7
    let parameterCount = Kernel.parameterCount
    let jacobian = scratch
    let rowU = scratch + 2 * parameterCount
    let rowV = rowU + width
    block.update(repeating: 0, count: width * width)
    var point = points
    var residual = residuals
    var seesAll = true
    var index = 0
    while index < count {
      let (bx, by, bz) = (point[0], point[1], point[2])
      let weight = point[5]
      let yx = pose[0] * bx + pose[1] * by + pose[2] * bz
      let yy = pose[3] * bx + pose[4] * by + pose[5] * bz
      let yz = pose[6] * bx + pose[7] * by + pose[8] * bz
      if let image = Kernel.project(
        x: yx + pose[9], y: yy + pose[10], z: yz + pose[11], parameters: parameters,
        jacobian: jacobian)
      {
        residual[0] = image.u - point[3]
        residual[1] = image.v - point[4]
        if weight > 0 {
          var k = 0
          while k < freeCount {
            let parameter = free[k]
            rowU[k] = jacobian[parameter]
            rowV[k] = jacobian[parameterCount + parameter]
            k += 1
          }
          let (ux, uy, uz) = image.uByPoint
          let (vx, vy, vz) = image.vByPoint
          rowU[k] = yy * uz - yz * uy
          rowU[k + 1] = yz * ux - yx * uz
          rowU[k + 2] = yx * uy - yy * ux
          rowU[k + 3] = ux
          rowU[k + 4] = uy
          rowU[k + 5] = uz
          rowU[k + 6] = residual[0]
          rowV[k] = yy * vz - yz * vy
          rowV[k + 1] = yz * vx - yx * vz
          rowV[k + 2] = yx * vy - yy * vx
          rowV[k + 3] = vx
          rowV[k + 4] = vy
          rowV[k + 5] = vz
          rowV[k + 6] = residual[1]
          addOuterProducts(rowU, rowV, weight: weight, width: width, to: block)
        }
      } else {
        residual[0] = .nan
        residual[1] = .nan
        if weight > 0 { seesAll = false }
      }
      point += PackedViews.stride
      residual += 2
      index += 1
    }
    return seesAll
  }

  @inline(__always)
  private static func addOuterProducts(
    _ u: UnsafePointer<Double>, _ v: UnsafePointer<Double>, weight: Double, width: Int,
    to block: UnsafeMutablePointer<Double>
  ) {
    var i = 0
    while i < width {
      let a = weight * u[i]
      let b = weight * v[i]
      let row = block + i * width
      var j = i
      while j < width {
        row[j] += a * u[j] + b * v[j]
        j += 1
      }
      i += 1
    }
  }
}
