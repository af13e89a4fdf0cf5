import CameraModel

/// How the image of all used points moves with a motion of the camera frame: normal equations of the
/// motion that best takes up a change of each of the camera's slots.
struct MotionSums: Sendable {
  /// The number of the camera's slots: a bend of the board is no change of the camera.
  private let count: Int
  /// Σ TᵀT, 6×6, turn before shift.
  private var normal: [Double]
  /// Σ TᵀJ_q, 6 rows of `count` numbers.
  private var right: [Double]

  /// From the blocks of the views: a turn about the camera's centre moves the board like a turn about
  /// its own origin and a shift by ω × t.
  init(_ minimum: LinearizedViews, active: [Int]) {
    let p = minimum.freeCount
    let width = minimum.width
    let camera = minimum.free.cameraCount
    count = camera
    normal = Array(repeating: 0, count: 36)
    right = Array(repeating: 0, count: 6 * camera)
    for view in active {
      let block = minimum.block(view)
      let t = minimum.translation(ofView: view)
      // Row k of `change`: the camera-frame motion k in terms of the view's own six.
      var change = [Double](repeating: 0, count: 36)
      for k in 0..<6 { change[k * 6 + k] = 1 }
      // ω × t for ω = e_x, e_y, e_z.
      (change[4], change[5]) = (-t.z, t.y)
      (change[9], change[11]) = (t.z, -t.x)
      (change[15], change[16]) = (-t.y, t.x)
      func pose(_ i: Int, _ j: Int) -> Double { block[(p + min(i, j)) * width + p + max(i, j)] }
      for a in 0..<6 {
        for b in 0..<6 {
          var sum = 0.0
          for i in 0..<6 where change[a * 6 + i] != 0 {
            for j in 0..<6 { sum += change[a * 6 + i] * pose(i, j) * change[b * 6 + j] }
          }
          normal[a * 6 + b] += sum
        }
        for q in 0..<camera {
          for i in 0..<6 { right[a * camera + q] += change[a * 6 + i] * block[q * width + p + i] }
        }
      }
    }
  }

  /// The sums with those of other points, which count `weight` times.
  func adding(_ other: MotionSums, weight: Double) -> MotionSums {
    var sum = self
    for index in normal.indices { sum.normal[index] += weight * other.normal[index] }
    for index in right.indices { sum.right[index] += weight * other.right[index] }
    return sum
  }

  /// M = −(Σ TᵀT)⁻¹·Σ TᵀJ_q; nil where the points do not determine the motion.
  var alignment: [Double]? {
    var (factor, result) = (normal, right)
    let isRegular = factor.withUnsafeMutableBufferPointer { n in
      result.withUnsafeMutableBufferPointer { r in
        guard let n = n.baseAddress, Cholesky.factor(n, 6) else { return false }
        guard let r = r.baseAddress else { return count == 0 }
        for q in 0..<count { Cholesky.solve(n, 6, r + q, stride: count) }
        return true
      }
    }
    return isRegular ? result.map { -$0 } : nil
  }
}
