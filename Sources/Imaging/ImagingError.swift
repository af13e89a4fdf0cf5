/// Why a picture could not be read or written.
///
/// `description` says what was found, what was expected and what to do.
public struct ImagingError: Error, Sendable, Hashable {
  /// What kind of failure it is; more may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's name.
    public var rawValue: String

    /// Creates a code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No such file.
    public static let notFound = Code(rawValue: "notFound")
    /// The file's permissions, or those of a folder above it, forbid reading.
    public static let permissionDenied = Code(rawValue: "permissionDenied")
    /// A folder, pipe, socket or device instead of a file.
    public static let notARegularFile = Code(rawValue: "notARegularFile")
    /// A file of no bytes.
    public static let empty = Code(rawValue: "empty")
    /// The system reports an error while opening or reading.
    public static let unreadable = Code(rawValue: "unreadable")
    /// Not a picture, or one of a kind that nothing here decodes.
    public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
    /// The program that would decode it is not installed.
    public static let missingProgram = Code(rawValue: "missingProgram")
    /// The program that should decode it failed or gave up.
    public static let programFailed = Code(rawValue: "programFailed")
    /// The program that should decode it made no progress for too long.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The file ends before the picture does.
    public static let truncated = Code(rawValue: "truncated")
    /// The file contradicts its format.
    public static let corrupt = Code(rawValue: "corrupt")
    /// More pixels or bytes than are read.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// Memory that was given does not hold the pixels that belong there.
    public static let tooSmall = Code(rawValue: "tooSmall")
    /// Memory ran out.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
    /// Whoever asked for the picture wants it no more.
    package static let cancelled = Code(rawValue: "cancelled")
    /// The picture could not be written.
    public static let notWritable = Code(rawValue: "notWritable")
  }

  /// What kind of failure it is.
  public var code: Code
  /// The file, or the name that the caller gave the bytes.
  public var path: String
  /// What was found, expected, and can be done; without the path.
  public var message: String

  /// Creates an error about `path`.
  public init(_ code: Code, path: String, message: String) {
    self.code = code
    self.path = path
    self.message = message
  }
}

extension ImagingError: CustomStringConvertible {
  /// `PATH: MESSAGE`, on one line whatever the path holds.
  public var description: String { "\(printable(path)): \(message)" }
}

/// A path as it can be shown on one line of a terminal: control characters as `\n` or `\u{…}`.
///
/// File names are outside input; printed raw they could fake lines of output or drive the terminal.
package func printable(_ path: String) -> String {
  guard path.unicodeScalars.contains(where: isControl) else { return path }
  var result = ""
  for scalar in path.unicodeScalars {
    if isControl(scalar) {
      result += scalar.escaped(asASCII: true)
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Whether a character would steer the terminal rather than be shown.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  // Cc and the bidirectional overrides (Cf), which reorder what stands around them.
  scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
    || (0x2066...0x2069).contains(scalar.value)
}
