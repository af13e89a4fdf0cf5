internal import CalibrationStore

/// Why a foreign calibration file was not read, or why a calibration can't be written in a format.
///
/// The description names the file, the line where there is one, what was found, what was expected
/// and what to do.
package struct FormatError: Error, Sendable, Hashable {
  /// The kinds of failure; open, so switch with a default.
  package struct Code: RawRepresentable, Sendable, Hashable {
    /// The kind as a word.
    package let rawValue: String
    /// Creates a kind from its word.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such file.
    package static let notFound = Code(rawValue: "notFound")
    /// The file can't be opened or read.
    package static let unreadable = Code(rawValue: "unreadable")
    /// The system refuses to let the file be read.
    package static let noPermission = Code(rawValue: "noPermission")
    /// The file is longer, or nested deeper, than any calibration.
    package static let tooLarge = Code(rawValue: "tooLarge")
    /// The text breaks the rules of its syntax (YAML, XML, JSON …).
    package static let syntax = Code(rawValue: "syntax")
    /// Well-formed, but no camera calibration in it.
    package static let notACalibration = Code(rawValue: "notACalibration")
    /// A key is missing, stands twice, or its value is of the wrong kind.
    package static let badValue = Code(rawValue: "badValue")
    /// The model has no equal among our lens models.
    package static let notRepresentable = Code(rawValue: "notRepresentable")
    /// The file does not state the size of the images.
    package static let missingSize = Code(rawValue: "missingSize")
    /// The file does not state which lens model its coefficients belong to.
    package static let ambiguousLens = Code(rawValue: "ambiguousLens")
    /// Several cameras and none chosen, or a chosen one that is not there.
    package static let chooseCamera = Code(rawValue: "chooseCamera")
  }

  /// What kind of failure it is.
  package var code: Code
  /// The file, as the user named it; nil for an export.
  package var file: String?
  /// The line in the file, from 1; nil where no single line is to blame.
  package var line: Int?
  /// What was found, what was expected, what to do.
  package var message: String

  package init(_ code: Code, line: Int? = nil, _ message: String) {
    self.code = code
    self.line = line
    self.message = message
  }
}

extension FormatError: CustomStringConvertible {
  /// `FILE:LINE: message`.
  package var description: String {
    guard let file else { return message.printable }
    guard let line else { return "\(file): \(message)".printable }
    return "\(file):\(line): \(message)".printable
  }
}
