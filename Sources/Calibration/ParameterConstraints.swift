/// What is known of a lens beforehand, or said not to be estimated.
package struct ParameterConstraints: Sendable, Hashable {
  /// A parameter that is not estimated.
  package struct Fixed: Sendable, Hashable {
    /// Where it stays, in its own unit; nil: at the middle of the image (cx, cy), and at 0.
    package var value: Double?
    /// The option that says so, for people.
    package var option: String

    /// Creates a fixed value.
    package init(_ value: Double?, option: String) {
      self.value = value
      self.option = option
    }
  }

  /// What a parameter is about.
  package struct Prior: Sendable, Hashable {
    /// The most likely value, in the parameter's unit.
    package var mean: Double
    /// 1σ, in the same unit, above 0.
    package var deviation: Double

    /// Creates a prior.
    package init(mean: Double, deviation: Double) {
      self.mean = mean
      self.deviation = deviation
    }
  }

  /// Whether fx and fy are one number.
  package internal(set) var hasSquarePixels = false
  /// The parameters that are not estimated, by name.
  package internal(set) var fixed: [String: Fixed] = [:]
  /// The parameters that are estimated from more than the views, by name.
  package internal(set) var priors: [String: Prior] = [:]

  /// None.
  package init() {}

  /// Whether nothing is constrained.
  package var isEmpty: Bool { self == ParameterConstraints() }
}

/// Constraints that contradict each other, or that a lens model has no place for.
package struct ConstraintError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The option at fault, with its dashes.
  package var option: String
  /// What was found, and what to do.
  package var description: String
}

extension ParameterConstraints.Prior {
  /// `1400.0 ± 20.0`.
  var text: String { "\(mean) ± \(deviation)" }
}
