import CameraModel

/// The inner loop: residuals and normal-equation block of one view.
///
/// A row of the Jacobian is [shared parameters | turn of the board about its origin, axes of the
/// camera | shift | residual]; the block is the upper triangle of the sum of the rows' outer products.
/// With Y = R·X, X_camera = Y + t and g = ∂u/∂X_camera, the turn's part is Y × g, the shift's g.
///
/// Rows are first written column by column for a portion of the points, u and v apart, as each leaves
/// two parameters out; then the columns are multiplied two points at a time.
struct ViewAccumulation<Kernel: InnerKernel> {
  /// `parameterCount` numbers in the order of `LensModel.parameterNames`, then the board's bend.
  let parameters: UnsafePointer<Double>
  /// The columns that take part.
  let columns: JacobianColumns
  /// The board where it is not flat.
  let bend: BentPoints?
  /// Room for a portion of the points, see `scratchCount`.
  let scratch: UnsafeMutablePointer<Double>

  /// The number of points in a portion: even, and few enough that all columns stay in the first cache.
  static var portion: Int { 64 }
  /// The columns of u or of v: parameters, turn, shift, residual.
  private static var columnCount: Int { Kernel.parameterCount + 7 }
  /// The numbers between the columns of u and those of v: the bend's two stand last.
  private static var half: Int { (columnCount + 2) * portion }
  /// The numbers that `scratch` must hold: columns, two rows of the Jacobian, bent points.
  static var scratchCount: Int {
    2 * half + 2 * Kernel.parameterCount + PackedViews.stride * portion
  }

  /// Adds up JᵀJ, Jᵀr and rᵀr of one view.
  ///
  /// - Parameters:
  ///   - points: `count` points as in `PackedViews`.
  ///   - pose: R row by row, then t: 12 numbers.
  ///   - block: `columns.width`² numbers, row by row; overwritten.
  ///   - residuals: Two numbers a point, projected − seen; not a number where there is no projection.
  /// - Returns: Whether the camera sees all used points.
  func accumulate(
    points: UnsafePointer<Double>, count: Int, pose: UnsafePointer<Double>,
    block: UnsafeMutablePointer<Double>, residuals: UnsafeMutablePointer<Double>
  ) -> Bool {
    let width = columns.width
    block.update(repeating: 0, count: width * width)
    var seesAll = true
    var first = 0
    while first < count {
      let here = min(Self.portion, count - first)
      var flat = points + first * PackedViews.stride
      // The loop over the points knows nothing of bends: a flat board costs nothing.
      if let bend {
        let bent = scratch + 2 * Self.half + 2 * Kernel.parameterCount
        bend.bend(flat, here, by: parameters + Kernel.parameterCount, into: bent)
        flat = UnsafePointer(bent)
      }
      let used = fill(points: flat, count: here, pose: pose, residuals: residuals + 2 * first)
      if !used.seesAll { seesAll = false }
      let pairs = (used.rows + 1) / 2
      let v = scratch + Self.half
      if let bend, bend.isFree {
        let shift = (Kernel.parameterCount + 3) * Self.portion
        let place = Self.columnCount * Self.portion
        for columns in [scratch, v] {
          bend.fill(
            columns + place, shift: columns + shift, Self.portion, points: flat, count: here,
            pose: pose)
        }
      }
      columns.u.addProducts(of: scratch, Self.portion, pairs, to: block, width)
      columns.v.addProducts(of: v, Self.portion, pairs, to: block, width)
      first += here
    }
    return seesAll
  }

  /// Writes the rows of a portion of the points and their residuals.
  ///
  /// - Returns: The number of rows, and whether all used points have a projection.
  @inline(__always)
  private func fill(
    points: UnsafePointer<Double>, count: Int, pose: UnsafePointer<Double>,
    residuals: UnsafeMutablePointer<Double>
  ) -> (rows: Int, seesAll: Bool) {
    let stride = Self.portion
    let p = Kernel.parameterCount
    let u = scratch
    let v = u + Self.half
    let jacobian = v + Self.half
    var point = points
    var residual = residuals
    var row = 0
    var seesAll = true
    var index = 0
    while index < count {
      let (bx, by, bz) = (point[0], point[1], point[2])
      let weight = point[5]
      let yx = pose[0] * bx + pose[1] * by + pose[2] * bz
      let yy = pose[3] * bx + pose[4] * by + pose[5] * bz
      let yz = pose[6] * bx + pose[7] * by + pose[8] * bz
      if let image = Kernel.project(
        yx + pose[9], yy + pose[10], yz + pose[11], parameters, jacobian)
      {
        let (ru, rv) = (image.u - point[3], image.v - point[4])
        residual[0] = ru
        residual[1] = rv
        if weight > 0 {
          let root = weight == 1 ? 1 : weight.squareRoot()
          let (toU, toV) = (u + row, v + row)
          var k = 0
          while k < p {
            toU[k * stride] = jacobian[k] * root
            toV[k * stride] = jacobian[p + k] * root
            k += 1
          }
          let (ux, uy, uz) = (
            image.uByPoint.0 * root, image.uByPoint.1 * root, image.uByPoint.2 * root
          )
          let (vx, vy, vz) = (
            image.vByPoint.0 * root, image.vByPoint.1 * root, image.vByPoint.2 * root
          )
          let (poseU, poseV) = (toU + p * stride, toV + p * stride)
          poseU[0] = yy * uz - yz * uy
          poseU[stride] = yz * ux - yx * uz
          poseU[2 * stride] = yx * uy - yy * ux
          poseU[3 * stride] = ux
          poseU[4 * stride] = uy
          poseU[5 * stride] = uz
          poseU[6 * stride] = ru * root
          poseV[0] = yy * vz - yz * vy
          poseV[stride] = yz * vx - yx * vz
          poseV[2 * stride] = yx * vy - yy * vx
          poseV[3 * stride] = vx
          poseV[4 * stride] = vy
          poseV[5 * stride] = vz
          poseV[6 * stride] = rv * root
          row += 1
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
    if row % 2 == 1 {
      // Beside an odd last row one of zeros.
      var k = 0
      while k < Self.columnCount {
        u[k * stride + row] = 0
        v[k * stride + row] = 0
        k += 1
      }
    }
    return (row, seesAll)
  }
}
