extension Linearization {
  /// The equations without the priors of some slots: what the views and the other priors say.
  func without(priorsOf slots: some Sequence<Int>) -> Linearization {
    var rest = self
    for slot in slots {
      rest.hessian[slot * freeCount + slot] -= priorWeights[slot]
      rest.priorWeights[slot] = 0
      rest.priors[slot] = nil
    }
    return rest
  }

  /// Holds the slots by these priors, weighed against residuals of this variance, px².
  mutating func hold(_ priors: [ParameterPrior?], at variance: Double) {
    for (slot, prior) in priors.enumerated() {
      let weight = prior?.weight(at: variance) ?? 0
      hessian[slot * freeCount + slot] += weight - priorWeights[slot]
      priorWeights[slot] = weight
    }
    self.priors = priors
  }
}
