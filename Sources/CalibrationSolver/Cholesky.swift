/// Cholesky decomposition of small symmetric matrices, row-major, on plain pointers.
enum Cholesky {
  /// Replaces the lower triangle of `a` (n×n) by L with L·Lᵀ = a; only the lower triangle is read.
  ///
  /// - Returns: Whether every pivot keeps more than `tolerance` of its diagonal element. Below 1e-14
  ///   nothing but rounding is left of it, and what is solved with it would be noise.
  static func factor(
    _ a: UnsafeMutablePointer<Double>, _ n: Int, tolerance: Double = 1e-14
  ) -> Bool {
    var j = 0
    while j < n {
      let rowJ = a + j * n
      let diagonal = rowJ[j]
      var pivot = diagonal
      var k = 0
      while k < j {
        pivot -= rowJ[k] * rowJ[k]
        k += 1
      }
      guard pivot > tolerance * diagonal, pivot > 0, pivot.isFinite else { return false }
      let root = pivot.squareRoot()
      let inverse = 1 / root
      rowJ[j] = root
      var i = j + 1
      while i < n {
        let rowI = a + i * n
        var sum = rowI[j]
        k = 0
        while k < j {
          sum -= rowI[k] * rowJ[k]
          k += 1
        }
        rowI[j] = sum * inverse
        i += 1
      }
      j += 1
    }
    return true
  }

  /// Replaces b by (L·Lᵀ)⁻¹·b; b's elements lie `stride` apart.
  static func solve(
    _ l: UnsafePointer<Double>, _ n: Int, _ b: UnsafeMutablePointer<Double>, stride: Int = 1
  ) {
    var i = 0
    while i < n {
      var sum = b[i * stride]
      var k = 0
      while k < i {
        sum -= l[i * n + k] * b[k * stride]
        k += 1
      }
      b[i * stride] = sum / l[i * n + i]
      i += 1
    }
    i = n - 1
    while i >= 0 {
      var sum = b[i * stride]
      var k = i + 1
      while k < n {
        sum -= l[k * n + i] * b[k * stride]
        k += 1
      }
      b[i * stride] = sum / l[i * n + i]
      i -= 1
    }
  }

  /// Replaces B by (L·Lᵀ)⁻¹·B; B has n rows of `pairs` pairs of numbers, from a multiple of 16 on.
  static func solve(
    _ l: UnsafePointer<Double>, _ n: Int, rows: UnsafeMutablePointer<Double>, _ pairs: Int
  ) {
    let base = UnsafeMutableRawPointer(rows)
    let stride = 16 * pairs
    var i = 0
    while i < n {
      let inverse = 1 / l[i * n + i]
      let row = base + i * stride
      var pair = 0
      while pair < stride {
        var sum = row.load(fromByteOffset: pair, as: SIMD2<Double>.self)
        var k = 0
        while k < i {
          sum -=
            (base + k * stride).load(fromByteOffset: pair, as: SIMD2<Double>.self) * l[i * n + k]
          k += 1
        }
        row.storeBytes(of: sum * inverse, toByteOffset: pair, as: SIMD2<Double>.self)
        pair += 16
      }
      i += 1
    }
    i = n - 1
    while i >= 0 {
      let inverse = 1 / l[i * n + i]
      let row = base + i * stride
      var pair = 0
      while pair < stride {
        var sum = row.load(fromByteOffset: pair, as: SIMD2<Double>.self)
        var k = i + 1
        while k < n {
          sum -=
            (base + k * stride).load(fromByteOffset: pair, as: SIMD2<Double>.self) * l[k * n + i]
          k += 1
        }
        row.storeBytes(of: sum * inverse, toByteOffset: pair, as: SIMD2<Double>.self)
        pair += 16
      }
      i -= 1
    }
  }
}
