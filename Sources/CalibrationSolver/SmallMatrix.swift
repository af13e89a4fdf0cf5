/// Small dense matrices, row by row, where speed does not matter.
package enum SmallMatrix {
  /// Solves a·x = b in place of `b`; false where `a` is not positive definite.
  package static func solve(_ a: [Double], _ n: Int, _ b: inout [Double]) -> Bool {
    var factor = a
    return factor.withUnsafeMutableBufferPointer { f in
      b.withUnsafeMutableBufferPointer { b in
        guard let f = f.baseAddress, let b = b.baseAddress else { return n == 0 }
        guard Cholesky.factor(f, n) else { return false }
        Cholesky.solve(f, n, b)
        return true
      }
    }
  }

  /// The inverse of a symmetric positive definite matrix, exactly symmetric; nil where it is not one.
  static func inverse(_ a: [Double], _ n: Int) -> [Double]? {
    var factor = a
    var result = [Double](repeating: 0, count: n * n)
    for i in 0..<n { result[i * n + i] = 1 }
    let isRegular = factor.withUnsafeMutableBufferPointer { f in
      result.withUnsafeMutableBufferPointer { r in
        guard let f = f.baseAddress, let r = r.baseAddress else { return true }
        guard Cholesky.factor(f, n) else { return false }
        for column in 0..<n { Cholesky.solve(f, n, r + column, stride: n) }
        return true
      }
    }
    guard isRegular else { return nil }
    for i in 0..<n {
      for j in 0..<i {
        let mean = (result[i * n + j] + result[j * n + i]) / 2
        result[i * n + j] = mean
        result[j * n + i] = mean
      }
    }
    return result.allSatisfy(\.isFinite) ? result : nil
  }

  /// What a matrix of normal equations says of its first unknowns alone: the Schur complement over the
  /// others; those that nothing is known of are left out.
  static func marginal(_ a: [Double], _ n: Int, of count: Int) -> [Double] {
    var rest = a
    for k in stride(from: n - 1, through: count, by: -1) where rest[k * n + k] > 0 {
      for i in 0..<k {
        let factor = rest[i * n + k] / rest[k * n + k]
        for j in 0..<k { rest[i * n + j] -= factor * rest[k * n + j] }
      }
    }
    return (0..<count).flatMap { rest[($0 * n)..<($0 * n + count)] }
  }

  /// The matrix as an array of rows.
  static func rows(_ a: [Double], _ n: Int) -> [[Double]] {
    (0..<n).map { Array(a[($0 * n)..<(($0 + 1) * n)]) }
  }
}
