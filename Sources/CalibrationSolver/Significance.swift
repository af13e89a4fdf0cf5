import Glibc

/// Tail probabilities of the F distribution.
package enum Significance {
  /// The probability that a value of F with (d1, d2) degrees of freedom is at least `f`.
  ///
  /// I_x(d2/2, d1/2) with x = d2/(d2 + d1·f); Abramowitz and Stegun 26.6.2.
  package static func tail(f: Double, _ d1: Double, _ d2: Double) -> Double {
    guard f > 0, d1 > 0, d2 > 0 else { return 1 }
    guard f.isFinite else { return 0 }
    return incompleteBeta(d2 / (d2 + d1 * f), d2 / 2, d1 / 2)
  }

  /// I_x(a, b), the regularised incomplete beta function, to about 1e-12.
  ///
  /// The continued fraction 26.5.8 of Abramowitz and Stegun, evaluated from the front (Lentz), on the
  /// side of the mean where it converges fast.
  static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(1 - x, b, a) }
    let front =
      exp(a * log(x) + b * log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a
    var (c, d) = (1.0, 1 - (a + b) * x / (a + 1))
    d = 1 / (abs(d) < 1e-300 ? 1e-300 : d)
    var result = d
    for step in 1...500 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      var change = 1.0
      for coefficient in [even, odd] {
        d = 1 + coefficient * d
        d = 1 / (abs(d) < 1e-300 ? 1e-300 : d)
        c = 1 + coefficient / c
        c = abs(c) < 1e-300 ? 1e-300 : c
        change = c * d
        result *= change
      }
      if abs(change - 1) < 1e-14 { break }
    }
    return front * result
  }

  /// ln Γ(x) for x > 0: Stirling's series, after raising x above 10.
  private static func logGamma(_ x: Double) -> Double {
    var shift = 0.0
    var z = x
    while z < 10 {
      shift -= log(z)
      z += 1
    }
    let s = 1 / (z * z)
    let series = (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s / 1680))) / z
    return shift + (z - 0.5) * log(z) - z + 0.5 * log(2 * .pi) + series
  }
}
