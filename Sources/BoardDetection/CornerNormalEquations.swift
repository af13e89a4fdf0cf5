internal import CCornerKernels
internal import Glibc

/// The pixels around a corner, as the fit reads them: all columns, then all rows, then the brightness.
struct CornerSamples {
  /// Columns and rows from the middle of the window, and the brightness 0…1, `stride` floats each.
  let floats: UnsafeMutablePointer<Float>
  /// The number of pixels.
  var count = 0
  /// The floats from one part to the next: a multiple of 8.
  static let stride = (CornerFit.capacity + 7) / 8 * 8
  /// The floats that `floats` has room for.
  static let floatCount = 3 * stride

  /// Adds a pixel.
  @inline(__always)
  mutating func add(_ x: Int, _ y: Int, _ brightness: Float) {
    floats[count] = Float(x)
    floats[Self.stride + count] = Float(y)
    floats[2 * Self.stride + count] = brightness
    count += 1
  }

  /// Moves the three parts together, with as little as can be between them, and fills up.
  mutating func pack() -> Int {
    let stride = (count + 7) / 8 * 8
    for part in 1..<3 {
      (floats + part * stride).update(from: floats + part * Self.stride, count: count)
    }
    for part in 0..<3 {
      for index in count..<stride { floats[part * stride + index] = 0 }
    }
    return stride
  }
}

/// JᵀJ and Jᵀr of a `CornerModel` over the pixels of a window.
struct NormalEquations {
  /// JᵀJ row by row, with Jᵀr as column 10: `values[11 i + j]`, j ≥ i.
  private var values = [Float](repeating: 0, count: 110)

  /// Floats of scratch memory that `build` needs: 10 derivatives and the residual of each pixel.
  static let scratchCount = 11 * CornerSamples.stride

  /// Sums over all samples; returns the sum of squared residuals.
  ///
  /// - Parameters:
  ///   - samples: Columns, rows and brightness, `stride` floats each.
  ///   - scratch: At least `scratchCount` floats. Both are aligned to 32 bytes.
  mutating func build(
    _ model: CornerModel, _ samples: UnsafePointer<Float>, count: Int, stride: Int,
    scratch: UnsafeMutablePointer<Float>
  ) -> Double {
    var kernel = cck_model(
      x: Float(model.position.x), y: Float(model.position.y), cos1: Float(cos(model.angles.x)),
      sin1: Float(sin(model.angles.x)), cos2: Float(cos(model.angles.y)),
      sin2: Float(sin(model.angles.y)), sharpness1: Float(model.sharpness.x),
      sharpness2: Float(model.sharpness.y), curvature1: Float(model.curvatures.x),
      curvature2: Float(model.curvatures.y), mean: Float(model.mean),
      contrast: Float(model.contrast), gradientX: Float(model.gradient.x),
      gradientY: Float(model.gradient.y))
    return values.withUnsafeMutableBufferPointer {
      Double(
        cck_normal_equations(
          &kernel, samples, Int32(count), Int32(stride), scratch, $0.baseAddress))
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
