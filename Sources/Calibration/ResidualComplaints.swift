import CalibrationSolver
import CalibrationStore

extension IntrinsicsRecord.ResidualPatterns {
  init(_ patterns: ResidualPatterns, heldOutBeyond: Int?) {
    self.init(
      outwardByRadius: patterns.outwardByRadius.map { $0.count > 0 ? $0.mean : nil },
      neighbourCorrelation: patterns.neighbourCorrelation,
      parity: patterns.parity.map { SIMD2($0.x.mean, $0.y.mean) }, heldOutBeyond: heldOutBeyond)
  }
}

extension ResidualPatterns {
  /// A mean counts from this share of sigma on: less is lost in what other errors do.
  private static let notableShare = 0.6
  /// And from this many standard errors on; these take residuals for independent, which understates them.
  private static let notableErrors = 8.0
  /// The fewest corners that a ring has to have.
  private static let fewestCorners = 20

  /// The patterns that are worth a word, the cure first.
  func complaints(sigma: Double) -> [String] {
    guard sigma > ViewDisagreement.rounding else { return [] }
    func isNotable(_ mean: Mean) -> Bool {
      mean.count >= Self.fewestCorners
        && abs(mean.mean) > max(Self.notableShare * sigma, Self.notableErrors * mean.standardError)
    }
    var complaints: [String] = []
    if let (ring, mean) = outwardByRadius.enumerated().filter({ isNotable($0.element) })
      .max(by: { abs($0.element.mean) < abs($1.element.mean) })
    {
      let (inner, outer) = (100 * ring / Self.rings, 100 * (ring + 1) / Self.rings)
      complaints.append(
        "Try another lens model (--lens auto): at \(inner) to \(outer) % of the way to the farthest corner "
          + "the corners lie \(fixed(abs(mean.mean), 2)) px nearer to the \(mean.mean > 0 ? "centre" : "edge") "
          + "than the camera has them, on the average.")
    }
    if let parity, isNotable(parity.x) || isNotable(parity.y) {
      complaints.append(
        "Look at exposure and sharpening: corners lie off in turn, by "
          + "\(fixed(abs(parity.x.mean), 2)) px along the rows and \(fixed(abs(parity.y.mean), 2)) px down the "
          + "columns, as the square at their upper left is dark or light. Dark squares that grow or shrink (glare, "
          + "too little light) do that; it hardly changes the camera.")
    }
    return complaints
  }
}
