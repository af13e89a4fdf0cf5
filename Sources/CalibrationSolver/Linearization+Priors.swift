extension Linearization {
  /// The equations without the priors of some slots: what the views and the other priors say.
  func without(priorsOf slots: some Sequence<Int>) -> Linearization {
    var rest = self
    for slot in slots {
      rest.hessian[slot * freeCount + slot] -= priors.weights[slot]
      rest.priors.remove(slot)
    }
    return rest
  }

  /// Holds the slots by these priors instead of those at hand.
  mutating func hold(_ others: WeighedPriors) {
    for slot in 0..<freeCount {
      hessian[slot * freeCount + slot] += others.weights[slot] - priors.weights[slot]
    }
    priors = others
  }
}
