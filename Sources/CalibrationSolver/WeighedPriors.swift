/// The priors of slots, weighed beside residuals of some variance.
package struct WeighedPriors: Sendable, Hashable {
  /// The prior of each slot.
  private(set) var all: [ParameterPrior?]
  /// s²/σ² of each, 0 without one: what the square of the distance from its mean is multiplied by.
  private(set) var weights: [Double]

  /// - Parameter variance: That of a residual, px².
  init(_ priors: [ParameterPrior?], at variance: Double) {
    all = priors
    weights = priors.map { $0?.weight(at: variance) ?? 0 }
  }

  /// Without priors.
  init(slotCount: Int) { self.init(Array(repeating: nil, count: slotCount), at: 0) }

  /// Whether there are none.
  var isEmpty: Bool { all.allSatisfy { $0 == nil } }

  /// How far the value of a slot is from the mean of its prior; 0 without one.
  func distance(_ slot: Int, _ value: Double) -> Double {
    all[slot].map { value - $0.mean } ?? 0
  }

  /// Σ weight·distance², px².
  ///
  /// - Parameter value: The value of a slot.
  func cost(_ value: (Int) -> Double) -> Double {
    var sum = 0.0
    for (slot, weight) in weights.enumerated() where weight > 0 {
      let distance = distance(slot, value(slot))
      sum += weight * distance * distance
    }
    return sum
  }

  mutating func remove(_ slot: Int) { (all[slot], weights[slot]) = (nil, 0) }
}
