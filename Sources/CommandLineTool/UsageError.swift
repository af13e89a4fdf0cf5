/// A command line that can't be carried out as written; ends a command with status 64.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of mistake it is; open, so that new kinds break nobody.
  package struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's name.
    package var rawValue: String
    /// Creates a code from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// No option has this name.
    package static let unknownOption = Code(rawValue: "unknownOption")
    /// An option that needs a value has none.
    package static let missingValue = Code(rawValue: "missingValue")
    /// A flag was given a value.
    package static let unexpectedValue = Code(rawValue: "unexpectedValue")
    /// A value does not mean anything to its option or operand.
    package static let invalidValue = Code(rawValue: "invalidValue")
    /// An option was given twice with different values.
    package static let repeatedOption = Code(rawValue: "repeatedOption")
    /// Two options exclude each other.
    package static let conflictingOptions = Code(rawValue: "conflictingOptions")
    /// An option that is always needed is missing.
    package static let missingOption = Code(rawValue: "missingOption")
    /// There are too few operands.
    package static let missingOperand = Code(rawValue: "missingOperand")
    /// There are too many operands.
    package static let unexpectedOperand = Code(rawValue: "unexpectedOperand")
    /// An argument is not text in UTF-8.
    package static let notText = Code(rawValue: "notText")
    /// Found by the command itself after parsing.
    package static let other = Code(rawValue: "other")
  }

  /// What kind of mistake it is.
  package var code: Code
  /// The option (`--board`) or operand (`SOURCE`) at fault.
  package var subject: String
  /// What was found, what was expected and what to do.
  package var message: String

  /// Creates an error; `message` says what was found, what was expected and what to do.
  package init(_ code: Code = .other, subject: String, message: String) {
    self.code = code
    self.subject = subject
    self.message = message
  }

  /// The message.
  package var description: String { message }
}

/// Why a text is not a value of the wanted kind; the parser adds which option it was given to.
package struct ValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was expected, and what to write instead; the found text is quoted by the parser.
  package var message: String

  /// Creates an error from what was expected.
  package init(_ message: String) { self.message = message }

  /// The message.
  package var description: String { message }
}

/// An end of a command with a status and a message of its own.
package struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The status to end with.
  package var status: ExitStatus
  /// What was found, what was expected and what to do.
  package var message: String

  /// Creates a failure.
  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
