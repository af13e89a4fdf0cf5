import Imaging

/// Why a source gives no frames, or no further ones.
///
/// `description` says what was found, what was expected and what to do.
public struct FramesError: Error, Sendable, Hashable {
  /// What kind of failure it is; more may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's name.
    public var rawValue: String

    /// Creates a code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No source was named.
    public static let noSource = Code(rawValue: "noSource")
    /// No such file or folder.
    public static let notFound = Code(rawValue: "notFound")
    /// A pattern that matches no file.
    public static let noMatch = Code(rawValue: "noMatch")
    /// The permissions forbid reading.
    public static let permissionDenied = Code(rawValue: "permissionDenied")
    /// The system reports an error while reading.
    public static let unreadable = Code(rawValue: "unreadable")
    /// A folder without any file.
    public static let emptyFolder = Code(rawValue: "emptyFolder")
    /// Files, but no picture that can be used.
    public static let noImages = Code(rawValue: "noImages")
    /// No picture of the size that was asked for.
    public static let noSuchSize = Code(rawValue: "noSuchSize")
    /// A camera where files were expected; a camera is opened by other means.
    public static let liveCameraUnsupported = Code(rawValue: "liveCameraUnsupported")
    /// Sources that don't go together, or a device name without a letter or digit.
    public static let badRequest = Code(rawValue: "badRequest")
    /// The program that would decode the source is not installed.
    public static let missingProgram = Code(rawValue: "missingProgram")
    /// A video that holds no picture.
    public static let noFrames = Code(rawValue: "noFrames")
    /// A video that is damaged or ends early.
    public static let damagedVideo = Code(rawValue: "damagedVideo")
    /// The decoding program made no progress for too long.
    public static let timedOut = Code(rawValue: "timedOut")
    /// A picture is no longer what it was when the source was opened.
    public static let changed = Code(rawValue: "changed")
  }

  /// What kind of failure it is.
  public var code: Code
  /// The file, folder, pattern or device; empty where none was named.
  public var source: String
  /// What was found, expected, and can be done; without the source.
  public var message: String

  /// Creates an error about `source`.
  public init(_ code: Code, source: String, message: String) {
    self.code = code
    self.source = source
    self.message = message
  }
}

extension FramesError: CustomStringConvertible {
  /// `SOURCE: MESSAGE`, on one line whatever the source is called.
  public var description: String {
    source.isEmpty ? message : "\(printable(source)): \(message)"
  }
}

extension FramesError {
  /// The error of a source that is one file; `noPicture` where its content is at fault.
  init(_ error: ImagingError, noPicture: Code) {
    let code: Code =
      switch error.code {
      case .notFound: .notFound
      case .permissionDenied: .permissionDenied
      case .missingProgram: .missingProgram
      case .timedOut: .timedOut
      case .empty, .unsupportedFormat, .truncated, .corrupt, .tooLarge: noPicture
      default: .unreadable
      }
    self.init(code, source: error.path, message: error.message)
  }
}
