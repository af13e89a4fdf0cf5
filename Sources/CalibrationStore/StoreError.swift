import Glibc

/// Why a record could not be read, stored or found.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error; open for further kinds.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// A word for the kind.
    public var rawValue: String

    /// Creates a code from its word.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The file is no JSON text: empty, truncated, binary or damaged.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The file's `schema` is not one that this version reads.
    public static let unsupportedSchema = Code(rawValue: "unsupportedSchema")
    /// The file's `lensModel` is not one that this version knows.
    public static let unsupportedLensModel = Code(rawValue: "unsupportedLensModel")
    /// A key is missing, has a value of the wrong type or one that makes no sense.
    public static let invalidRecord = Code(rawValue: "invalidRecord")
    /// The file lies where another device's or resolution's record belongs.
    public static let mismatch = Code(rawValue: "mismatch")
    /// The file exists and the system does not let it be read; see `systemError`.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The store cannot be written; see `systemError`.
    public static let notWritable = Code(rawValue: "notWritable")
    /// Another process holds the store's lock for longer than the wait.
    public static let busy = Code(rawValue: "busy")
    /// The text is no identifier of a device.
    public static let invalidDevice = Code(rawValue: "invalidDevice")
    /// What was asked for is not in the store.
    public static let notFound = Code(rawValue: "notFound")
    /// The text fits more than one of the things in the store.
    public static let ambiguous = Code(rawValue: "ambiguous")
    /// Something else already stands under the new name.
    public static let alreadyExists = Code(rawValue: "alreadyExists")
    /// The text stands for no camera that is attached and can be told from others.
    public static let cameraUnknown = Code(rawValue: "cameraUnknown")
    /// No folder for records can be found in the environment.
    public static let noRoot = Code(rawValue: "noRoot")
  }

  /// The kind of error.
  public var code: Code
  /// The file, folder or device it is about.
  public var subject: String
  /// What was found, what was expected, what to do.
  public var message: String
  /// The `errno` of the system call that failed, where one did.
  public var systemError: Int32?

  /// Creates an error.
  public init(code: Code, subject: String, message: String, systemError: Int32? = nil) {
    self.code = code
    self.subject = subject
    self.message = message
    self.systemError = systemError
  }

  /// The subject and the message in one line.
  public var description: String { "\(subject): \(message)" }
}

extension StoreError {
  /// An error from a system call.
  static func system(
    _ number: Int32, _ code: Code, _ what: String, _ subject: String
  ) -> StoreError {
    let advice =
      switch number {
      case ENOSPC, EDQUOT: " (free some space, or choose another place)"
      case EFBIG: " (the limit on file sizes, ulimit -f, is too small)"
      case EROFS: " (choose another place)"
      case EACCES, EPERM: " (it belongs to another user, or is protected)"
      default: ""
      }
    return StoreError(
      code: code, subject: subject,
      message: "\(what): \(String(cString: strerror(number)))\(advice)",
      systemError: number)
  }
}
