internal import CalibrationSolver
internal import CameraModel

/// The differences that are to be expected of two calibrations of one camera.
///
/// With e the error of a calibration's parameters, J = ∂π/∂q and T = ∂π/∂(turn), the difference is
/// J_B·e_B − J_A·e_A + T·r; the fit chooses r = M_B·e_B − M_A·e_A with M = −(Σ w·TᵀT)⁻¹·Σ w·TᵀJ. So
/// each calibration adds (J + T·M)·C·(J + T·M)ᵀ.
struct Prediction: Sendable {
  /// 1σ at each cell, pixels: the root of the larger eigenvalue; nil without data.
  var sigma: [Double?]

  /// For each calibration with an uncertainty, at each cell J + T·M: two rows.
  private var sensitivities: [[[Double]?]] = []
  private var covariances: [[[Double]]] = []
  private var counts: [Int] = []

  init(_ alignment: Alignment, _ uncertainties: [CameraUncertainty?], weights: [Double]) {
    for (camera, uncertainty) in zip([0, 1], uncertainties) {
      guard let uncertainty else { continue }
      sensitivities.append(
        Self.sensitivities(alignment, ofB: camera == 1, uncertainty.indices, weights))
      covariances.append(uncertainty.covariances)
      counts.append(uncertainty.indices.count)
    }
    sigma = []
    sigma = (0..<DifferenceField.count).map { cell in
      guard alignment.field.differences[cell] != nil, let m = covariance(at: cell) else {
        return nil
      }
      let half = (m.xx - m.yy) / 2
      let largest = (m.xx + m.yy) / 2 + (half * half + m.xy * m.xy).squareRoot()
      return largest.isFinite && largest >= 0 ? largest.squareRoot() : nil
    }
  }

  private static func sensitivities(
    _ alignment: Alignment, ofB: Bool, _ indices: [Int], _ weights: [Double]
  ) -> [[Double]?] {
    let camera = ofB ? alignment.b : alignment.a
    let all = camera.lensModel.parameterNames.count
    let p = indices.count
    var jacobians = [[Double]?](repeating: nil, count: DifferenceField.count)
    var turns = [(SIMD3<Double>, SIMD3<Double>)?](repeating: nil, count: DifferenceField.count)
    var normal = [Double](repeating: 0, count: 9)
    var mixed = [Double](repeating: 0, count: 3 * p)
    for cell in 0..<DifferenceField.count {
      var jacobian = [Double](repeating: 0, count: 2 * all)
      let image: TurnedImage? = jacobian.withUnsafeMutableBufferPointer { buffer in
        if ofB { return alignment.image(of: cell, parameterJacobian: buffer.baseAddress) }
        guard let ray = alignment.rays[cell],
          camera.projectWithJacobians(ray, parameterJacobian: buffer.baseAddress) != nil
        else { return nil }
        return alignment.image(of: cell)
      }
      guard let image else { continue }
      let rows = (0..<2).flatMap { row in indices.map { jacobian[row * all + $0] } }
      guard rows.allSatisfy(\.isFinite) else { continue }
      jacobians[cell] = rows
      turns[cell] = (image.turnU, image.turnV)
      for (row, turn) in [image.turnU, image.turnV].enumerated() {
        for i in 0..<3 {
          for j in 0..<3 { normal[3 * i + j] += weights[cell] * turn[i] * turn[j] }
          for k in 0..<p { mixed[i * p + k] += weights[cell] * turn[i] * rows[row * p + k] }
        }
      }
    }
    var motion = [Double](repeating: 0, count: 3 * p)
    for k in 0..<p {
      var column = [mixed[k], mixed[p + k], mixed[2 * p + k]]
      guard SmallMatrix.solve(normal, 3, &column) else { continue }
      for i in 0..<3 { motion[i * p + k] = -column[i] }
    }
    return (0..<DifferenceField.count).map { cell in
      guard var rows = jacobians[cell], let turn = turns[cell] else { return nil }
      for (row, turn) in [turn.0, turn.1].enumerated() {
        for k in 0..<p {
          for i in 0..<3 { rows[row * p + k] += turn[i] * motion[i * p + k] }
        }
      }
      return rows
    }
  }

  private struct Matrix {
    var xx = 0.0
    var xy = 0.0
    var yy = 0.0
    var trace: Double { xx + yy }
  }

  private func covariance(at cell: Int, chosen: [Int]? = nil) -> Matrix? {
    var sum = Matrix()
    for camera in sensitivities.indices {
      guard let g = sensitivities[camera][cell] else { return nil }
      let all = covariances[camera].map { Self.propagate(g, $0, counts[camera]) }
      let one = chosen.map { all[$0[camera]] } ?? all.max { $0.trace < $1.trace }
      guard let one else { return nil }
      sum.xx += one.xx
      sum.xy += one.xy
      sum.yy += one.yy
    }
    return sum
  }

  private static func propagate(_ g: [Double], _ c: [Double], _ p: Int) -> Matrix {
    var m = Matrix()
    for i in 0..<p {
      var (u, v) = (0.0, 0.0)
      for j in 0..<p {
        u += c[i * p + j] * g[j]
        v += c[i * p + j] * g[p + j]
      }
      m.xx += g[i] * u
      m.xy += g[i] * v
      m.yy += g[p + i] * v
    }
    return m
  }
}

extension Prediction {
  /// How the differences compare with what was predicted.
  struct Test: Sendable {
    /// √(mean of (difference² / predicted variance)).
    var ratio: Double
    /// The probability of such a ratio by chance.
    var probability: Double
  }

  /// The mean over the image of ‖difference‖²/trace of its covariance, against its distribution.
  ///
  /// It is a weighted sum of squares of a few normal variables, as many as both calibrations have
  /// parameters: Q = eᵀ·B·e. A multiple g·χ²(h) with the same mean tr(B·C) and variance 2·tr((B·C)²)
  /// stands for it (Satterthwaite, "An approximate distribution of estimates of variance components",
  /// Biometrics Bulletin 2 (1946)); and as covariances from n views are themselves uncertain, F(h, ν)
  /// takes the place of χ², ν from both n − 1 by each one's share (Welch, Biometrika 34 (1947)).
  func test(_ field: DifferenceField, degreesOfFreedom: [Int]) -> Test {
    let chosen = largerCovariances
    let total = counts.reduce(0, +)
    var gram = [Double](repeating: 0, count: total * total)
    var (sum, count) = (0.0, 0)
    for cell in 0..<DifferenceField.count {
      guard let difference = field.differences[cell],
        let trace = covariance(at: cell, chosen: chosen)?.trace
      else { continue }
      // A difference of a hundred-thousandth of a pixel is that of the arithmetic.
      let weight = 1 / (trace + 1e-10)
      sum += (difference * difference).sum() * weight
      count += 1
      addOuterProduct(cell, weight, total, to: &gram)
    }
    guard count > 0 else { return Test(ratio: 0, probability: 1) }
    let product = Self.product(gram, blockDiagonal(chosen, total), total)
    let mean = (0..<total).reduce(0) { $0 + product[$1 * total + $1] }
    let square = Self.product(product, product, total)
    let spread = (0..<total).reduce(0) { $0 + square[$1 * total + $1] }
    guard mean > 0, spread > 0 else { return Test(ratio: 0, probability: 1) }
    var (offset, uncertainty) = (0, 0.0)
    for (count, freedom) in zip(counts, degreesOfFreedom) {
      let share = (offset..<offset + count).reduce(0) { $0 + product[$1 * total + $1] } / mean
      uncertainty += share * share / Double(freedom)
      offset += count
    }
    return Test(
      ratio: (sum / Double(count)).squareRoot(),
      probability: Significance.tail(
        f: sum / mean, mean * mean / spread, 1 / max(1e-9, uncertainty)))
  }

  /// For each calibration the covariance that predicts more, over the whole image.
  private var largerCovariances: [Int] {
    sensitivities.indices.map { camera in
      let sums = covariances[camera].map { covariance in
        sensitivities[camera].reduce(0) { sum, g in
          sum + (g.map { Self.propagate($0, covariance, counts[camera]).trace } ?? 0)
        }
      }
      return sums.indices.max { sums[$0] < sums[$1] } ?? 0
    }
  }

  private func addOuterProduct(
    _ cell: Int, _ weight: Double, _ total: Int, to gram: inout [Double]
  ) {
    for row in 0..<2 {
      var line: [Double] = []
      for camera in sensitivities.indices {
        let p = counts[camera]
        guard let g = sensitivities[camera][cell] else { return }
        line += g[(row * p)..<((row + 1) * p)]
      }
      for i in 0..<total {
        for j in 0..<total { gram[i * total + j] += weight * line[i] * line[j] }
      }
    }
  }

  private func blockDiagonal(_ chosen: [Int], _ total: Int) -> [Double] {
    var matrix = [Double](repeating: 0, count: total * total)
    var offset = 0
    for camera in sensitivities.indices {
      let p = counts[camera]
      let block = covariances[camera][chosen[camera]]
      for i in 0..<p {
        for j in 0..<p { matrix[(offset + i) * total + offset + j] = block[i * p + j] }
      }
      offset += p
    }
    return matrix
  }

  private static func product(_ a: [Double], _ b: [Double], _ n: Int) -> [Double] {
    var c = [Double](repeating: 0, count: n * n)
    for i in 0..<n {
      for k in 0..<n {
        for j in 0..<n { c[i * n + j] += a[i * n + k] * b[k * n + j] }
      }
    }
    return c
  }
}
