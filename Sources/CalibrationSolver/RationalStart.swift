import CameraModel
import Glibc

/// Where a search for the eight coefficients of a rational lens begins.
///
/// Behind a wide lens two coefficients of a polynomial in tan θ are far from any answer, and the way from
/// there runs along poles. What is near from the start is the curve of a fisheye, or of another minimum,
/// as a ratio: t·(1 + k1·t² + k2·t⁴ + k3·t⁶) = d·(1 + k4·t² + k5·t⁴ + k6·t⁶) with t = tan θ and d the
/// distorted radius is linear in the coefficients.
struct RationalStart {
  private var camera: CameraParameters
  private var samples: [(t: Double, d: Double)] = []

  /// Strengths of `withDenominator` between which a rational lens's minima lie.
  static let strengths = [0.1, 0.3, 0.6, 1, 1.7, 3, 10, 30]

  /// Beyond this angle a tangent says more of its own growth than of the lens.
  private static let largestAngle = 80 * Double.pi / 180

  /// Takes the curve of a camera as far out as the used points of views lie; nil where they hardly leave
  /// the middle.
  init?(like camera: CameraParameters, over views: [ObservedView]) {
    self.camera = camera
    var reach = 0.0
    for view in views {
      for (pixel, isUsed) in zip(view.pixels, view.isUsed) where isUsed {
        let d = camera.intrinsics.place(of: pixel)
        reach = max(reach, (d * d).sum().squareRoot())
      }
    }
    let lens = camera.radialPart
    for step in 1...40 {
      let t = tan(Double(step) / 40 * Self.largestAngle)
      guard let d = lens.project(SIMD3(t, 0, 1))?.x, d > samples.last?.d ?? 0, d <= 1.05 * reach
      else { break }
      samples.append((t, d))
    }
    guard samples.count >= 6 else { return nil }
  }

  /// The rational camera that follows the curve best; nil where that has a pole.
  ///
  /// Each turn divides by the last denominator, so that what is minimised becomes the error of d
  /// itself. Source: Sanathanan and Koerner, "Transfer function synthesis as a ratio of two complex
  /// polynomials", IEEE Trans. Automatic Control 8 (1963).
  func closest() -> CameraParameters? {
    var weights = samples.map { _ in 1.0 }
    var answer: CameraParameters?
    for _ in 0..<4 {
      guard let c = coefficients(weights) else { break }
      let denominators = samples.map { Self.denominator(c, $0.t) }
      guard denominators.allSatisfy({ $0 > 0.02 }) else { break }
      answer = rational(c)
      weights = denominators.map { 1 / ($0 * $0) }
    }
    return answer
  }

  /// The rational camera with the denominator (1 + strength·t²/T²)³, T the largest tangent, that follows
  /// the curve best.
  func withDenominator(strength: Double) -> CameraParameters? {
    guard let last = samples.last else { return nil }
    let a = strength / (last.t * last.t)
    let given = [3 * a, 3 * a * a, a * a * a]
    let weights = samples.map { sample in
      let value = Self.denominator([0, 0, 0] + given, sample.t)
      return 1 / (value * value)
    }
    return coefficients(weights, denominator: given).map(rational)
  }

  private func rational(_ c: [Double]) -> CameraParameters {
    let tangential =
      camera.lensModel == .fisheye ? [0, 0] : [camera.distortion[2], camera.distortion[3]]
    return CameraParameters(
      resolution: camera.resolution, lensModel: .rational, intrinsics: camera.intrinsics,
      distortion: [c[0], c[1]] + tangential + c[2...])
  }

  private static func denominator(_ c: [Double], _ t: Double) -> Double {
    let s = t * t
    return 1 + s * (c[3] + s * (c[4] + s * c[5]))
  }

  /// k1 … k6 by weighted linear least squares; with a given denominator k1, k2, k3 alone.
  private func coefficients(_ weights: [Double], denominator given: [Double]? = nil) -> [Double]? {
    guard let scale = samples.last?.t else { return nil }
    let n = given == nil ? 6 : 3
    var normal = [Double](repeating: 0, count: n * n)
    var right = [Double](repeating: 0, count: n)
    for (sample, weight) in zip(samples, weights) {
      // Powers of t relative to the largest, so that columns are of one size.
      let t = sample.t / scale
      let powers = [t * t, t * t * t * t, t * t * t * t * t * t]
      let row = powers.map { sample.t * $0 } + powers.map { -sample.d * $0 }
      let value =
        sample.d * (given.map { Self.denominator([0, 0, 0] + $0, sample.t) } ?? 1) - sample.t
      for i in 0..<n {
        for j in 0..<n { normal[i * n + j] += weight * row[i] * row[j] }
        right[i] += weight * row[i] * value
      }
    }
    // A numerator and a denominator that share a factor can't be told apart: the smallest is taken.
    for i in 0..<n { normal[i * n + i] *= 1 + 1e-9 }
    guard SmallMatrix.solve(normal, n, &right) else { return nil }
    let s = scale * scale
    let powers = [s, s * s, s * s * s]
    let found = zip(right, powers + powers).map { $0 / $1 }
    return found + (given ?? [])
  }
}
