internal import Glibc

/// JᵀJ and Jᵀr of a `CornerModel` over the pixels of a window.
///
/// Two passes in single precision: the derivatives of each pixel, stored parameter by parameter, then
/// their products, eight pixels at a time. (A product of each pixel's derivatives with one another
/// needs more registers than there are: three times slower.)
struct NormalEquations {
  /// JᵀJ row by row, with Jᵀr as column 10: `values[11 i + j]`, j ≥ i.
  private var values = [Float](repeating: 0, count: 110)

  /// Floats of scratch memory that `build` needs: 10 derivatives and the residual of each pixel.
  static let scratchCount = 11 * paddedCapacity
  private static let paddedCapacity = (CornerFit.capacity + 7) / 8 * 8

  /// Sums over all samples (x, y, brightness); returns the sum of squared residuals.
  ///
  /// - Parameter scratch: At least `scratchCount` floats, aligned to 32 bytes.
  mutating func build(
    _ model: CornerModel, _ samples: UnsafePointer<SIMD4<Float>>, _ count: Int,
    scratch: UnsafeMutableRawPointer
  ) -> Double {
    let floats = scratch.assumingMemoryBound(to: Float.self)
    let padded = (count + 7) / 8 * 8
    Self.differentiate(model, samples, count, into: floats, stride: padded)
    let vectors = scratch.assumingMemoryBound(to: SIMD8<Float>.self)
    let blocks = padded / 8
    for i in 0...10 {
      let left = vectors + i * blocks
      var j = i
      while j <= 10 {
        // Four products at a time share the loads of the left factor; past the end, the last again.
        let r0 = vectors + j * blocks
        let r1 = vectors + min(j + 1, 10) * blocks
        let r2 = vectors + min(j + 2, 10) * blocks
        let r3 = vectors + min(j + 3, 10) * blocks
        var (s0, s1, s2, s3) = (
          SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>()
        )
        for block in 0..<blocks {
          let l = left[block]
          s0 += l * r0[block]
          s1 += l * r1[block]
          s2 += l * r2[block]
          s3 += l * r3[block]
        }
        if i == 10 { return Double(s0.sum()) }
        values[11 * i + j] = s0.sum()
        if j + 1 <= 10 { values[11 * i + j + 1] = s1.sum() }
        if j + 2 <= 10 { values[11 * i + j + 2] = s2.sum() }
        if j + 3 <= 10 { values[11 * i + j + 3] = s3.sum() }
        j += 4
      }
    }
    return 0
  }

  /// The derivatives of the model's brightness by each parameter, and the residuals.
  private static func differentiate(
    _ model: CornerModel, _ samples: UnsafePointer<SIMD4<Float>>, _ count: Int,
    into out: UnsafeMutablePointer<Float>, stride: Int
  ) {
    let (cx, cy) = (Float(model.position.x), Float(model.position.y))
    let (t1x, t1y) = (Float(cos(model.angles.x)), Float(sin(model.angles.x)))
    let (t2x, t2y) = (Float(cos(model.angles.y)), Float(sin(model.angles.y)))
    let (b1, b2) = (Float(model.sharpness.x), Float(model.sharpness.y))
    let (k1, k2) = (Float(model.curvatures.x) / 2, Float(model.curvatures.y) / 2)
    let (mean, contrast) = (Float(model.mean), Float(model.contrast))
    let (gx, gy) = (Float(model.gradient.x), Float(model.gradient.y))
    let rho = t1x * t2x + t1y * t2y
    EdgeProfile.table.withUnsafeBufferPointer { table in
      for index in 0..<count {
        let sample = samples[index]
        let (dx, dy) = (sample.x - cx, sample.y - cy)
        // Along and across each edge; across counts from the bent edge.
        let (l1, l2) = (t1x * dx + t1y * dy, t2x * dx + t2y * dy)
        let s1 = t1x * dy - t1y * dx - k1 * l1 * l1
        let s2 = t2x * dy - t2y * dx - k2 * l2 * l2
        let (u1, u2) = (s1 * b1, s2 * b2)
        let (e1, p1) = profile(u1, table)
        let (e2, p2) = profile(u2, table)
        let pp = rho * p1 * p2
        let x = e1 * e2 + pp * (1 + 0.5 * rho * u1 * u2)
        let shade = 1 + gx * sample.x + gy * sample.y
        let level = mean + contrast * x
        // ∂X/∂u of each edge, times what turns u into brightness.
        let d1 = (p1 * e2 - u1 * pp) * contrast * shade
        let d2 = (p2 * e1 - u2 * pp) * contrast * shade
        let (f1, f2) = (d1 * b1, d2 * b2)
        let at = out + index
        at[0] = f1 * t1y + f2 * t2y
        at[stride] = -(f1 * t1x + f2 * t2x)
        at[2 * stride] = -f1 * l1
        at[3 * stride] = -f2 * l2
        at[4 * stride] = shade
        at[5 * stride] = x * shade
        at[6 * stride] = d1 * s1
        at[7 * stride] = d2 * s2
        at[8 * stride] = level * sample.x
        at[9 * stride] = level * sample.y
        at[10 * stride] = sample.z - level * shade
      }
    }
    for parameter in 0...10 {
      for index in count..<stride { out[parameter * stride + index] = 0 }
    }
  }

  /// The step that solves (JᵀJ + damping·diagonal) step = Jᵀr, or = the unit vector `unit`.
  ///
  /// Cholesky in double precision; nil if the matrix is not positive definite.
  func solve(damping: Double, unit: Int? = nil) -> [Double]? {
    let n = CornerModel.parameterCount
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: n * n) { l -> [Double]? in
      for i in 0..<n {
        for j in 0...i {
          var sum = Double(values[11 * j + i])
          if i == j { sum = sum * (1 + damping) + 1e-12 }
          for k in 0..<j { sum -= l[i * n + k] * l[j * n + k] }
          if i == j {
            guard sum > 0 else { return nil }
            l[i * n + i] = sum.squareRoot()
          } else {
            l[i * n + j] = sum / l[j * n + j]
          }
        }
      }
      var result = [Double](repeating: 0, count: n)
      for i in 0..<n {
        if let unit {
          result[i] = unit == i ? 1 : 0
        } else {
          result[i] = Double(values[11 * i + 10])
        }
      }
      for i in 0..<n {
        for k in 0..<i { result[i] -= l[i * n + k] * result[k] }
        result[i] /= l[i * n + i]
      }
      for i in (0..<n).reversed() {
        for k in i + 1..<n { result[i] -= l[k * n + i] * result[k] }
        result[i] /= l[i * n + i]
      }
      return result
    }
  }
}

/// E and P of `EdgeProfile` by its table.
@inline(__always)
private func profile(_ u: Float, _ table: UnsafeBufferPointer<Float>) -> (e: Float, p: Float) {
  // Not-a-number ends at the left end of the table.
  let clamped =
    u > -EdgeProfile.reach ? (u < EdgeProfile.reach ? u : EdgeProfile.reach) : -EdgeProfile.reach
  let place = (clamped + EdgeProfile.reach) * EdgeProfile.stepsPerUnit
  let index = Int(place)
  let share = place - Float(index)
  let at = 2 * index
  return (
    table[at] + share * (table[at + 2] - table[at]),
    table[at + 1] + share * (table[at + 3] - table[at + 1])
  )
}
