/// Why the solver has no answer.
package struct SolverError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  package struct Code: Sendable, Hashable, RawRepresentable {
    /// The code's name.
    package var rawValue: String

    /// Creates a code with a name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Counts that do not fit together: a mistake of the caller.
    package static let mismatchedInput = Code(rawValue: "mismatchedInput")
    /// A number that is infinite or not a number.
    package static let nonFinite = Code(rawValue: "nonFinite")
    /// Fewer measurements than unknowns.
    package static let tooFewPoints = Code(rawValue: "tooFewPoints")
    /// A board point that the camera, as given, can't see.
    package static let pointNotVisible = Code(rawValue: "pointNotVisible")
    /// The measurements leave a combination of unknowns without any support.
    package static let singular = Code(rawValue: "singular")
  }

  /// The kind of failure.
  package var code: Code
  /// What it is about: `view 3`, or the name of a parameter.
  package var subject: String
  /// The view that it is about, an index into those of the problem; nil where it is about none of them.
  ///
  /// The solver knows no names. Whoever does says them in place of `subject`.
  package private(set) var view: Int?
  /// What was found, what was expected and what to do.
  package var message: String

  /// Creates an error.
  package init(_ code: Code, subject: String, message: String) {
    self.code = code
    self.subject = subject
    self.message = message
  }

  /// Creates an error about a view, an index into those of the problem.
  package init(_ code: Code, view: Int, message: String) {
    self.init(code, subject: "view \(view)", message: message)
    self.view = view
  }

  /// The subject and the message.
  package var description: String { "\(subject): \(message)" }
}
