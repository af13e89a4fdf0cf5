internal import Glibc

/// What a grid of corners looks like without its corners' own errors: a homography, plus a polynomial
/// for what the lens adds.
///
/// A corner that lies far off is wrong: a reflection, a thumb, a finder that took the next edge. The
/// fit is robust (Huber's weights), so that wrong corners do not pull it.
struct GridSmoothness: Sendable {
  /// Where each corner should be.
  private(set) var predicted: [SIMD2<Double>]
  /// How far each corner is from there, pixels.
  private(set) var deviations: [Double]
  /// The usual deviation: a robust estimate of its σ, pixels.
  private(set) var scatter: Double

  /// Nil if the corners are so degenerate that nothing can be fitted.
  init?(_ grid: CornerGrid) {
    let count = grid.points.count
    let places = (0..<count).map { index -> SIMD2<Double> in
      SIMD2(
        2 * Double(index % grid.columns) / Double(grid.columns - 1) - 1,
        2 * Double(index / grid.columns) / Double(grid.rows - 1) - 1)
    }
    guard let homography = Self.homography(places, grid.points) else { return nil }
    let projected = places.map { place -> SIMD2<Double> in
      let w = homography[6] * place.x + homography[7] * place.y + 1
      return SIMD2(
        (homography[0] * place.x + homography[1] * place.y + homography[2]) / w,
        (homography[3] * place.x + homography[4] * place.y + homography[5]) / w)
    }
    // As many terms as the corners carry with three to spare each: cubic from 30 corners on.
    let degree = count >= 60 ? 4 : count >= 30 ? 3 : 2
    let terms = places.map { Self.terms($0, degree: degree) }
    let size = terms[0].count
    var weights = [Double](repeating: 1, count: count)
    predicted = projected
    deviations = []
    scatter = 0
    for _ in 0..<6 {
      var x = LinearSystem(size: size)
      var y = LinearSystem(size: size)
      for index in 0..<count {
        let residual = grid.points[index] - projected[index]
        x.add(terms[index], residual.x, weight: weights[index])
        y.add(terms[index], residual.y, weight: weights[index])
      }
      guard let a = x.solution(), let b = y.solution() else { return nil }
      for index in 0..<count {
        var (dx, dy) = (0.0, 0.0)
        for k in 0..<size {
          dx += a[k] * terms[index][k]
          dy += b[k] * terms[index][k]
        }
        predicted[index] = projected[index] + SIMD2(dx, dy)
      }
      deviations = (0..<count).map { length(grid.points[$0] - predicted[$0]) }
      let sorted = deviations.sorted()
      // The median of a Rayleigh distribution is 1.18 σ.
      scatter = max(sorted[count / 2] / 1.18, 0.01)
      weights = deviations.map { $0 <= 2.5 * scatter ? 1 : 2.5 * scatter / $0 }
    }
  }

  /// The corners that are off: by more than half a pixel, five times the scatter and 2 % of the
  /// spacing (what a polynomial leaves of a strong lens).
  func outliers(spacings: [Double]) -> [Int] {
    deviations.indices.filter {
      deviations[$0] > max(0.5, 5 * scatter, 0.02 * spacings[$0])
    }
  }

  /// Monomials up to a degree.
  private static func terms(_ p: SIMD2<Double>, degree: Int) -> [Double] {
    var result: [Double] = []
    for total in 0...degree {
      for power in 0...total {
        result.append(pow(p.x, Double(total - power)) * pow(p.y, Double(power)))
      }
    }
    return result
  }

  /// The homography places → pixels with its last element 1, by linear least squares.
  private static func homography(_ places: [SIMD2<Double>], _ pixels: [SIMD2<Double>]) -> [Double]?
  {
    // Pixels about their mean, in units of their spread: else the equations are ill-conditioned.
    let mean = pixels.reduce(SIMD2<Double>(), +) / Double(pixels.count)
    let spread = pixels.map { length($0 - mean) }.reduce(0, +) / Double(pixels.count)
    guard spread > 0, spread.isFinite else { return nil }
    var system = LinearSystem(size: 8)
    for (p, pixel) in zip(places, pixels) {
      let q = (pixel - mean) / spread
      system.add([p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y], q.x, weight: 1)
      system.add([0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y], q.y, weight: 1)
    }
    guard let h = system.solution() else { return nil }
    return [
      h[0] * spread + mean.x * h[6], h[1] * spread + mean.x * h[7], h[2] * spread + mean.x,
      h[3] * spread + mean.y * h[6], h[4] * spread + mean.y * h[7], h[5] * spread + mean.y,
      h[6], h[7],
    ]
  }
}

/// Normal equations of a linear least-squares problem.
struct LinearSystem {
  private let size: Int
  private var matrix: [Double]
  private var right: [Double]

  init(size: Int) {
    self.size = size
    matrix = Array(repeating: 0, count: size * size)
    right = Array(repeating: 0, count: size)
  }

  /// Adds the equation Σ rowₖ·solutionₖ = value.
  mutating func add(_ row: [Double], _ value: Double, weight: Double) {
    row.withUnsafeBufferPointer { row in
      matrix.withUnsafeMutableBufferPointer { matrix in
        for i in 0..<size {
          let scaled = weight * row[i]
          for j in 0...i { matrix[i * size + j] += scaled * row[j] }
        }
      }
      for i in 0..<size { right[i] += weight * row[i] * value }
    }
  }

  /// The solution by Cholesky's method; nil if the equations don't determine it.
  func solution() -> [Double]? {
    var l = matrix
    for i in 0..<size {
      for j in 0...i {
        var sum = l[i * size + j]
        for k in 0..<j { sum -= l[i * size + k] * l[j * size + k] }
        if i == j {
          guard sum > 1e-12 * matrix[i * size + i] else { return nil }
          l[i * size + i] = sum.squareRoot()
        } else {
          l[i * size + j] = sum / l[j * size + j]
        }
      }
    }
    var result = right
    for i in 0..<size {
      for k in 0..<i { result[i] -= l[i * size + k] * result[k] }
      result[i] /= l[i * size + i]
    }
    for i in (0..<size).reversed() {
      for k in i + 1..<size { result[i] -= l[k * size + i] * result[k] }
      result[i] /= l[i * size + i]
    }
    return result.allSatisfy(\.isFinite) ? result : nil
  }
}
