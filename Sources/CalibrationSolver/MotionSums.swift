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

  /// From the blocks of the views.
  init(_ minimum: LinearizedViews, active: [Int]) {
    let camera = minimum.free.cameraCount
    let part = SharedNumbers(count: 36 + 6 * camera)
    count = camera
    normal = Array(repeating: 0, count: 36)
    right = Array(repeating: 0, count: 6 * camera)
    for view in active {
      Self.fill(part.base, from: view, of: minimum)
      for index in 0..<36 { normal[index] += part.base[index] }
      for index in 0..<(6 * camera) { right[index] += part.base[36 + index] }
    }
  }

  /// Writes Σ TᵀT and Σ TᵀJ_q of one view.
  private static func fill(
    _ part: UnsafeMutablePointer<Double>, from view: Int, of minimum: LinearizedViews
  ) {
    let p = minimum.freeCount
    let width = minimum.width
    let camera = minimum.free.cameraCount
    let block = minimum.block(view)
    let t = minimum.translation(ofView: view)
    for i in 0..<6 {
      for j in 0..<6 { part[6 * i + j] = block[(p + min(i, j)) * width + p + max(i, j)] }
      for q in 0..<camera { part[36 + i * camera + q] = block[q * width + p + i] }
    }
    turnAboutCamera(part, stride: 6, columns: 6, step: 1, t)
    turnAboutCamera(part, stride: 1, columns: 6, step: 6, t)
    turnAboutCamera(part + 36, stride: camera, columns: camera, step: 1, t)
  }

  /// A turn ω about the camera's centre moves the board like a turn about its own origin and a shift by
  /// ω × t: makes of the first three rows, which belong to turns of the one kind, those of the other.
  private static func turnAboutCamera(
    _ rows: UnsafeMutablePointer<Double>, stride: Int, columns: Int, step: Int, _ t: SIMD3<Double>
  ) {
    for column in 0..<columns {
      let row = rows + column * step
      let (x, y, z) = (row[3 * stride], row[4 * stride], row[5 * stride])
      row[0] += t.y * z - t.z * y
      row[stride] += t.z * x - t.x * z
      row[2 * stride] += t.x * y - t.y * x
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
