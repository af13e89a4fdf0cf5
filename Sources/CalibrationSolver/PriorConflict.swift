import CameraModel

/// A prior on a parameter that the views contradict.
package struct PriorConflict: Sendable, Hashable {
  /// The parameter, of several that are one the first.
  package var name: String
  /// What was said beforehand.
  package var prior: ParameterPrior
  /// The estimate.
  package var estimate: Double
  /// What the views say without the prior, and with which deviation.
  package var alone: Double
  package var deviation: Double

  /// So many deviations apart, prior and views are no matter of chance.
  static let limit = 4.0

  /// The priors on the camera's parameters that the estimate is far from, or that the views by themselves
  /// are far from; a strong prior pulls the estimate to itself, and only the latter shows it.
  package static func all(_ solution: Solution, _ covariance: ParameterCovariance)
    -> [PriorConflict]
  {
    let linear = solution.linearization
    let p = linear.freeCount
    let names = solution.slotNames
    return (0..<linear.cameraCount).compactMap { slot in
      let weight = linear.priors.weights[slot]
      guard let prior = linear.priors.all[slot], weight > 0 else { return nil }
      let parameter = solution.cameraSlots[slot][0]
      let estimate = solution.camera.parameterVector[parameter]
      var (alone, deviation) = (estimate, Double.infinity)
      // Where the views say nothing of the parameter they contradict nothing.
      if let inverse = SmallMatrix.inverse(linear.without(priorsOf: [slot]).hessian, p) {
        let variance = inverse[slot * p + slot]
        alone += variance * weight * (estimate - prior.mean)
        deviation = (variance * solution.variance).squareRoot()
        if let ratio = covariance.ratios?[slot] { deviation *= max(1, ratio) }
      }
      let both = (deviation * deviation + prior.deviation * prior.deviation).squareRoot()
      guard
        abs(estimate - prior.mean) > limit * prior.deviation
          || abs(alone - prior.mean) > limit * both
      else { return nil }
      return PriorConflict(
        name: names[slot], prior: prior, estimate: estimate, alone: alone, deviation: deviation)
    }
  }
}
