/// Why no calibration came about.
package struct CalibrationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Code: Sendable, Hashable {
    /// The board was found in no image, or in too few.
    case tooFewViews
    /// The views determine no camera.
    case unsolvable
    /// What was said beforehand, by this option, is of no camera that takes such images.
    case implausible(option: String)
    /// The work was stopped from outside.
    case interrupted
  }

  /// The kind of failure.
  package let code: Code
  /// What was found, what was expected and what to do.
  package let description: String

  /// Creates an error.
  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension CalibrationError {
  /// Stops where that is asked for.
  static func check(_ isCancelled: () -> Bool) throws(CalibrationError) {
    if isCancelled() { throw CalibrationError(.interrupted, "Interrupted: nothing was stored.") }
  }

  /// What was found, without the advice, to follow a colon.
  var firstClause: String {
    let sentence =
      description.firstRange(of: ". ").map { description[..<$0.lowerBound] } ?? description[...]
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }
}
