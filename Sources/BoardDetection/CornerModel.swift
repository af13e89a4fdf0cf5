/// A corner where two dark and two light squares meet, as a lens and a sensor show it.
///
/// Two edges cross at `position`; each is a line, bent by a known curvature, blurred by a Gaussian of
/// its own deviation (motion blurs edges unequally). With u = (signed distance)/σ of each edge,
/// E = erf(u/√2), P = √(2/π) e^(−u²/2) and ρ the cosine between the edges' normals, the brightness is
/// (mean + contrast·X)·(1 + gradient·d), X = E₁E₂ + ρ P₁P₂ + ½ρ²u₁u₂P₁P₂: the orthant probability of a
/// bivariate normal distribution to the second order of ρ (Tetrachoric series; Kendall and Stuart,
/// "The Advanced Theory of Statistics", vol. 1). The pixel's area adds 1/12 px² to σ².
///
/// X is even under a half turn about the corner and its derivative by the position is odd, so errors
/// of levels, blur or tone curve do not move the fitted position.
struct CornerModel: Sendable {
  var position: SIMD2<Double>
  /// The angles of the edges, radians: the first runs along the rows of the board.
  var angles: SIMD2<Double>
  /// 1/σ of each edge, 1/px.
  var sharpness: SIMD2<Double>
  /// The brightness between dark and light, and half the difference (negative if dark first), 0…1.
  var mean: Double
  var contrast: Double
  /// The relative change of brightness a pixel, about the middle of the window.
  var gradient: SIMD2<Double>
  /// The curvature of each edge, 1/px: known from the neighbouring corners, not fitted.
  var curvatures: SIMD2<Double>

  /// The number of fitted parameters: position 2, angles 2, mean, contrast, sharpness 2, gradient 2.
  static let parameterCount = 10

  /// The deviation of the blur, pixels, without the pixel's own area.
  var blurSigma: Double {
    let variance = 0.5 * (1 / (sharpness.x * sharpness.x) + 1 / (sharpness.y * sharpness.y))
    return max(0, variance - 1.0 / 12).squareRoot()
  }

  /// The model after a step of all parameters, kept within what makes sense.
  func moved(by step: [Double]) -> CornerModel {
    var next = self
    next.position += SIMD2(step[0], step[1])
    next.angles += SIMD2(step[2], step[3])
    next.mean += step[4]
    next.contrast += step[5]
    // From 0.2 to 8 px of blur: below, the pixels can't tell; above, the window is too small.
    next.sharpness.x = min(5, max(0.125, sharpness.x + step[6]))
    next.sharpness.y = min(5, max(0.125, sharpness.y + step[7]))
    next.gradient += SIMD2(step[8], step[9])
    return next
  }
}
