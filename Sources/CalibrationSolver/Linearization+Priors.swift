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
}
