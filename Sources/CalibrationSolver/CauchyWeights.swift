import CameraModel

/// Weights 1/(1 + (r/2.4σ)²), with which a far point has little pull.
enum CauchyWeights {
  /// The weight of each residual, weighed ones; σ per axis.
  static func weights(_ residuals: [SIMD2<Double>], sigma: Double) -> [Double] {
    // 2.385 σ: 95 % efficiency on normal residuals.
    let scale = 1 / (2.385 * sigma)
    return residuals.map { r in
      let squares = (r * r).sum() * scale * scale
      return squares.isFinite ? 1 / (1 + squares) : 1e-12
    }
  }

  /// The best pose of a view by a camera that is known, from least squares with such weights.
  static func refine(
    _ view: ObservedView, camera: CameraParameters, bend: BoardBend?, from fit: PoseEstimation.Fit,
    sigma: Double
  ) throws(SolverError) -> PoseEstimation.Fit {
    guard sigma > 0 else { return fit }
    var fit = fit
    for _ in 0..<rounds {
      var weighted = view
      let factors = weights(view.weighted(fit.residuals), sigma: sigma)
      weighted.weights = factors.indices.map { factors[$0] * view.weight($0) }
      fit = try PoseEstimation.refine(
        weighted, camera: camera, bend: bend, from: fit.pose, tolerance: 1e-3)
    }
    return fit
  }

  /// So many fits, each with the weights that the one before leads to.
  static let rounds = 6
}
