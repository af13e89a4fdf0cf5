/// Why a camera could not be opened, set up or read.
package struct V4L2Error: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error; open for further kinds.
  package struct Code: RawRepresentable, Sendable, Hashable {
    /// A word for the kind.
    package var rawValue: String

    /// Creates a code from its word.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such device file.
    package static let missing = Code(rawValue: "missing")
    /// The file is no video device.
    package static let notAVideoDevice = Code(rawValue: "notAVideoDevice")
    /// The video device gives no pictures: an output, a converter, a radio.
    package static let notACamera = Code(rawValue: "notACamera")
    /// The video device gives a camera's metadata; another one of the camera gives the pictures.
    package static let metadataNode = Code(rawValue: "metadataNode")
    /// The camera works only in a way that this package does not know.
    package static let unsupportedDevice = Code(rawValue: "unsupportedDevice")
    /// The device gives a sensor's raw data, which libcamera makes pictures of.
    package static let needsLibcamera = Code(rawValue: "needsLibcamera")
    /// The system does not let this user at the device.
    package static let noPermission = Code(rawValue: "noPermission")
    /// Another program uses the camera.
    package static let busy = Code(rawValue: "busy")
    /// The bus cannot carry the frames.
    package static let noBandwidth = Code(rawValue: "noBandwidth")
    /// The camera is gone.
    package static let unplugged = Code(rawValue: "unplugged")
    /// The camera, its cable or its driver failed.
    package static let hardware = Code(rawValue: "hardware")
    /// No frame came for longer than was to be waited.
    package static let noFrames = Code(rawValue: "noFrames")
    /// The picture's size or rate changed while frames were taken.
    package static let sourceChanged = Code(rawValue: "sourceChanged")
    /// The camera does not offer the format, size or rate.
    package static let formatUnavailable = Code(rawValue: "formatUnavailable")
    /// The camera has no such control.
    package static let controlUnknown = Code(rawValue: "controlUnknown")
    /// The control cannot be read or set now, or not to this value.
    package static let controlRefused = Code(rawValue: "controlRefused")
    /// Memory or descriptors ran out.
    package static let outOfResources = Code(rawValue: "outOfResources")
    /// The stream is not running.
    package static let notStreaming = Code(rawValue: "notStreaming")
    /// A system call failed in a way that has no code of its own.
    package static let systemCall = Code(rawValue: "systemCall")
  }

  /// The kind of error.
  package var code: Code
  /// The device file it is about.
  package var subject: String
  /// What was found, what was expected, what to do.
  package var message: String
  /// The `errno` of the system call that failed, where one did.
  package var systemError: Int32?

  /// Creates an error.
  package init(code: Code, subject: String, message: String, systemError: Int32? = nil) {
    self.code = code
    self.subject = subject
    self.message = message
    self.systemError = systemError
  }

  /// The subject and the message in one line.
  package var description: String { "\(subject): \(message)" }
}
