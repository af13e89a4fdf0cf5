/// Why a camera could not be used as asked.
public struct CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error; open for further kinds.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// A word for the kind.
    public var rawValue: String

    /// Creates a code from its word.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// No camera is attached, or not the one that was named.
    public static let noCamera = Code(rawValue: "noCamera")
    /// The device file is no camera that frames can be taken from.
    public static let notACamera = Code(rawValue: "notACamera")
    /// Another program, or another session of this one, takes frames from the camera.
    public static let busy = Code(rawValue: "busy")
    /// This user may not open the camera.
    public static let noPermission = Code(rawValue: "noPermission")
    /// The USB bus has not enough bandwidth left.
    public static let noBandwidth = Code(rawValue: "noBandwidth")
    /// The camera was unplugged.
    public static let unplugged = Code(rawValue: "unplugged")
    /// The camera gave no frame for too long.
    public static let noFrames = Code(rawValue: "noFrames")
    /// The picture's size or rate changed while frames were taken.
    public static let sourceChanged = Code(rawValue: "sourceChanged")
    /// The camera does not offer the size or pixel format that was asked for.
    public static let formatUnavailable = Code(rawValue: "formatUnavailable")
    /// The camera does not offer a frame rate as low as was asked for.
    public static let frameDurationUnavailable = Code(rawValue: "frameDurationUnavailable")
    /// The camera has no control of this name, or refused the value.
    public static let controlUnavailable = Code(rawValue: "controlUnavailable")
    /// Intrinsics cannot be delivered; the message says why.
    public static let intrinsicsUnavailable = Code(rawValue: "intrinsicsUnavailable")
    /// Not while the session is running.
    public static let alreadyRunning = Code(rawValue: "alreadyRunning")
    /// Inputs, outputs and settings do not go together.
    public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
    /// The bytes of a frame are no picture.
    public static let corruptFrame = Code(rawValue: "corruptFrame")
    /// The frame was given back already.
    public static let invalidated = Code(rawValue: "invalidated")
    /// A system call failed in a way that has no code of its own.
    public static let system = Code(rawValue: "system")
  }

  /// The kind of error.
  public var code: Code
  /// The camera, file or setting it is about.
  public var subject: String
  /// What was found, what was expected, what to do.
  public var message: String

  /// Creates an error.
  public init(code: Code, subject: String, message: String) {
    self.code = code
    self.subject = subject
    self.message = message
  }

  /// The subject and the message in one line.
  public var description: String { "\(subject): \(message)" }
}
