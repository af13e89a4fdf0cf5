/// A board that can't be drawn as asked for.
package struct PrintingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong; more may be added.
  package struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's name.
    package var rawValue: String
    /// Creates a code from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The board with its margin is larger than the sheet.
    package static let doesNotFit = Code(rawValue: "doesNotFit")
    /// The margin is too narrow to be one.
    package static let narrowMargin = Code(rawValue: "narrowMargin")
    /// The picture would have more pixels than can be drawn.
    package static let tooManyPixels = Code(rawValue: "tooManyPixels")
    /// The system has no font to write with.
    package static let noFont = Code(rawValue: "noFont")
    /// The drawing library failed.
    package static let drawingFailed = Code(rawValue: "drawingFailed")
  }

  /// What is wrong.
  package var code: Code
  /// The board, sheet or file format.
  package var subject: String
  /// What was found, what was expected and what to do.
  package var message: String

  /// Creates an error.
  package init(_ code: Code, subject: String, message: String) {
    self.code = code
    self.subject = subject
    self.message = message
  }

  /// Subject and message.
  package var description: String { "\(subject): \(message)" }
}
