import CameraModel

/// How the image of far points moves with the free parameters and with a turn of the camera frame: the
/// means over pixels of the products, from which the mean of SᵀS, S = J_q + T·M, follows for any M.
struct SensitivityMoments: Sendable {
  /// The number of the camera's slots.
  private let count: Int
  /// Mean J_qᵀJ_q, `count`²; mean J_qᵀT, `count` rows of 3; mean TᵀT, 9 numbers.
  private var parameters: [Double]
  private var mixed: [Double]
  private var turns: [Double]

  /// nil where no pixel has a direction.
  init?(_ solution: Solution, at pixels: [SIMD2<Double>]) {
    let camera = solution.camera
    let slots = Array(solution.cameraSlots)
    let all = camera.lensModel.parameterNames.count
    let p = slots.count
    count = p
    parameters = Array(repeating: 0, count: p * p)
    mixed = Array(repeating: 0, count: 3 * p)
    turns = Array(repeating: 0, count: 9)
    var seen = 0.0
    var jacobian = [Double](repeating: 0, count: 2 * all)
    for ray in camera.unproject(pixels) {
      guard let ray,
        let image = jacobian.withUnsafeMutableBufferPointer({ buffer in
          camera.projectWithJacobians(ray, parameterJacobian: buffer.baseAddress)
        })
      else { continue }
      let (u, v) = (image.uByPoint, image.vByPoint)
      let (byX, byY, byZ) = (SIMD2(u.0, v.0), SIMD2(u.1, v.1), SIMD2(u.2, v.2))
      let turn = [
        ray.y * byZ - ray.z * byY, ray.z * byX - ray.x * byZ, ray.x * byY - ray.y * byX,
      ]
      let rows = slots.map { indices in
        indices.reduce(SIMD2()) { $0 + SIMD2(jacobian[$1], jacobian[all + $1]) }
      }
      for i in 0..<p {
        for j in 0..<p { parameters[i * p + j] += (rows[i] * rows[j]).sum() }
        for k in 0..<3 { mixed[i * 3 + k] += (rows[i] * turn[k]).sum() }
      }
      for k in 0..<3 {
        for l in 0..<3 { turns[k * 3 + l] += (turn[k] * turn[l]).sum() }
      }
      seen += 1
    }
    guard seen > 0 else { return nil }
    for index in parameters.indices { parameters[index] /= seen }
    for index in mixed.indices { mixed[index] /= seen }
    for index in turns.indices { turns[index] /= seen }
  }

  /// The mean of SᵀS under a motion M (of which the three rows of the turn count), row by row.
  func spread(_ motion: [Double]) -> [Double] {
    let p = count
    var sum = parameters
    // TᵀT·M + 2·TᵀJ_q, half of it on each side of the diagonal.
    var half = [Double](repeating: 0, count: 3 * p)
    for k in 0..<3 {
      for j in 0..<p {
        var value = mixed[j * 3 + k]
        for l in 0..<3 { value += 0.5 * turns[k * 3 + l] * motion[l * p + j] }
        half[k * p + j] = value
      }
    }
    for i in 0..<p {
      for j in 0..<p {
        for k in 0..<3 {
          sum[i * p + j] +=
            motion[k * p + i] * half[k * p + j] + half[k * p + i] * motion[k * p + j]
        }
      }
    }
    return sum
  }
}
