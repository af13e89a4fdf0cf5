internal import CalibrationStore

/// Why a file of detected points can't be used.
package struct CornerTableError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Code: Sendable, Hashable {
    /// There is no such file, or it can't be read.
    case unreadable
    /// The system refuses to let the file be read.
    case noPermission
    /// What stands in it makes no sense.
    case malformed
    /// The size of the images is needed and not known.
    case missingSize
    /// A file name can't stand in a table.
    case unwritable
  }

  /// The kind of failure.
  package var code: Code
  /// The file, as the user named it; nil until that is known.
  package var file: String?
  /// The line, from 1; nil where none is to blame.
  package var line: Int?
  /// What was found, what was expected and what to do.
  package var message: String

  package init(_ code: Code, line: Int? = nil, _ message: String) {
    self.code = code
    self.line = line
    self.message = message
  }

  /// A figure of any size.
  static func text(_ value: Double) -> String { "\(value)" }

  /// `FILE:LINE: message`.
  package var description: String {
    let place = [file, line.map(String.init)].compactMap(\.self).joined(separator: ":")
    return (place.isEmpty ? message : "\(place): \(message)").printable
  }
}
