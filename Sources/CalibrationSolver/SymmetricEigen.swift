/// Eigenvalues and vectors of a small symmetric matrix, by Jacobi's rotations.
///
/// Source: Golub and Van Loan, "Matrix Computations", section 8.5 (cyclic Jacobi).
struct SymmetricEigen {
  /// Eigenvalues in ascending order, each with its vector of length 1, whose largest component is
  /// positive.
  var pairs: [(value: Double, vector: [Double])]

  /// Decomposes an n×n matrix, row by row.
  init(_ matrix: [Double], _ n: Int) {
    var a = matrix
    var v = [Double](repeating: 0, count: n * n)
    for i in 0..<n { v[i * n + i] = 1 }
    // Quadratic convergence: 6 to 10 sweeps for a dozen rows; 50 are never needed.
    for _ in 0..<50 {
      var off = 0.0
      var all = 0.0
      for i in 0..<n {
        for j in 0..<n {
          all += a[i * n + j] * a[i * n + j]
          if i != j { off += a[i * n + j] * a[i * n + j] }
        }
      }
      if off <= 1e-30 * all { break }
      for p in 0..<n {
        for q in (p + 1)..<max(n, p + 1) { Self.rotate(&a, &v, n, p, q) }
      }
    }
    pairs = (0..<n).map { column in
      let vector = (0..<n).map { v[$0 * n + column] }
      let largest = vector.max { abs($0) < abs($1) } ?? 1
      return (a[column * n + column], largest < 0 ? vector.map { -$0 } : vector)
    }
    .sorted { $0.value < $1.value }
  }

  private static func rotate(
    _ a: inout [Double], _ v: inout [Double], _ n: Int, _ p: Int, _ q: Int
  ) {
    let element = a[p * n + q]
    guard element != 0 else { return }
    let tau = (a[q * n + q] - a[p * n + p]) / (2 * element)
    let t = (tau >= 0 ? 1 : -1) / (abs(tau) + (1 + tau * tau).squareRoot())
    let c = 1 / (1 + t * t).squareRoot()
    let s = t * c
    for k in 0..<n {
      let (x, y) = (a[k * n + p], a[k * n + q])
      a[k * n + p] = c * x - s * y
      a[k * n + q] = s * x + c * y
    }
    for k in 0..<n {
      let (x, y) = (a[p * n + k], a[q * n + k])
      a[p * n + k] = c * x - s * y
      a[q * n + k] = s * x + c * y
      let (xv, yv) = (v[k * n + p], v[k * n + q])
      v[k * n + p] = c * xv - s * yv
      v[k * n + q] = s * xv + c * yv
    }
  }
}
