/// What a session has to tell while it runs.
public struct CaptureNotice: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of notices; open for further kinds.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// A word for the kind.
    public var rawValue: String

    /// Creates a kind from its word.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The session has ended with an error.
    public static let runtimeError = Kind(rawValue: "runtimeError")
    /// The camera was unplugged; the session waits for it to come back.
    public static let wasInterrupted = Kind(rawValue: "wasInterrupted")
    /// The camera is back, and frames come again.
    public static let interruptionEnded = Kind(rawValue: "interruptionEnded")
    /// Frames carry no intrinsics from now on; the message says why.
    public static let intrinsicsAbsent = Kind(rawValue: "intrinsicsAbsent")
    /// Frames carry intrinsics again.
    public static let intrinsicsRestored = Kind(rawValue: "intrinsicsRestored")
    /// Frames carry intrinsics that may not hold, as it is not known how focus and zoom stood when the
    /// camera was calibrated.
    public static let lensControlsUnknown = Kind(rawValue: "lensControlsUnknown")
  }

  /// The kind of notice.
  public var kind: Kind
  /// What happened, and what to do.
  public var message: String
  /// The error behind it, where there is one.
  public var error: CaptureError?

  /// Creates a notice.
  public init(kind: Kind, message: String, error: CaptureError? = nil) {
    self.kind = kind
    self.message = message
    self.error = error
  }

  /// The message.
  public var description: String { message }
}
