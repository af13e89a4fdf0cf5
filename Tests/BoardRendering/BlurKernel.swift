import Glibc

/// What a lens blur and the area of a pixel make of a point of light, in tables.
///
/// W is the unit Gaussian of the blur convolved with the pixel's box, per axis:
/// W(t) = Φ((t + ½)/σ) − Φ((t − ½)/σ), t the pixel's centre minus the point, in pixels. Its running
/// integral S is the picture of a step. The scatter over pixels of one point of an edge needs W over
/// the rows and the differences of S from column to column. Both are tabulated for places of the
/// point within a pixel and read by linear interpolation (error below 1e-5 for σ ≥ 0.3).
package struct BlurKernel: Sendable {
  /// The standard deviation of the blur that is used, in pixels.
  package let sigma: Double
  /// How many pixels before the point's own one the tables begin.
  package let reach: Int
  /// The number of table entries per place: the pixels from `-reach` to `reach + 2`.
  package let count: Int
  /// Places within a pixel; the tables hold one more, for interpolation.
  package static let places = 256
  /// W over the pixels, `count` numbers for each of `places + 1` places; they sum to 1.
  package let weights: [Float]
  /// S(t) − S(t − 1) over the pixels, in the same layout; they sum to 1.
  package let steps: [Float]

  /// Creates the tables of a blur, in pixels; one below 0.05 makes no difference, 0.05 is used then.
  package init(blurSigma: Double) {
    let sigma = max(blurSigma, 0.05)
    // Beyond 4.5 σ a Gaussian's tail is worth less than a thousandth of a grey level.
    let reach = Int((4.5 * sigma + 0.5).rounded(.up))
    let count = 2 * reach + 3
    var weights: [Float] = []
    var steps: [Float] = []
    for place in 0...Self.places {
      let offset = Double(place) / Double(Self.places)
      let t = (0..<count).map { Double($0 - reach) - offset }
      Self.append(t.map { Self.pixelWeight($0, sigma) }, to: &weights)
      Self.append(
        t.map { Self.stepResponse($0, sigma) - Self.stepResponse($0 - 1, sigma) }, to: &steps)
    }
    self.sigma = sigma
    self.reach = reach
    self.count = count
    self.weights = weights
    self.steps = steps
  }

  private static func append(_ values: [Double], to table: inout [Float]) {
    let sum = values.reduce(0, +)
    table.append(contentsOf: values.map { Float($0 / sum) })
  }

  /// W: the share of a point's light that a pixel at the distance `t` receives, on one axis.
  package static func pixelWeight(_ t: Double, _ sigma: Double) -> Double {
    normalDistribution((t + 0.5) / sigma) - normalDistribution((t - 0.5) / sigma)
  }

  /// S: the value of a pixel at the distance `t` from an edge that is bright on the positive side.
  package static func stepResponse(_ t: Double, _ sigma: Double) -> Double {
    func integral(_ z: Double) -> Double {
      z * normalDistribution(z) + exp(-z * z / 2) / (2 * .pi).squareRoot()
    }
    return sigma * (integral((t + 0.5) / sigma) - integral((t - 0.5) / sigma))
  }

  /// Φ, the standard normal distribution function.
  private static func normalDistribution(_ z: Double) -> Double {
    0.5 * erfc(-z / 2.0.squareRoot())
  }
}
