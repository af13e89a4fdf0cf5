import Glibc

/// Spreads that a minority of wrong values does not move.
enum RobustSpread {
  /// σ per axis from the median of 2-D residual norms; nil of nothing.
  ///
  /// The norm of two independent normal values has the median σ·√(2·ln 2).
  static func sigma(ofNorms norms: [Double]) -> Double? {
    median(norms).map { $0 / (2 * log(2.0)).squareRoot() }
  }

  /// By how much cutting 2-D residuals at `threshold` σ makes s² too small, as a factor to undo it.
  ///
  /// Of normal residuals with a norm below k·σ the variance is 1 − (k²/2)·e^(−k²/2)/(1 − e^(−k²/2))
  /// of σ².
  static func varianceCorrection(cutAt threshold: Double) -> Double {
    let half = threshold * threshold / 2
    return 1 / (1 - half * exp(-half) / (1 - exp(-half)))
  }
}
