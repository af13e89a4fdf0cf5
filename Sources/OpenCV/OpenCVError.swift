internal import OpenCVBridge

/// Why a call into OpenCV gave no answer.
package struct OpenCVError: Error, Sendable, Hashable {
  /// What kind of failure it was; more may be added.
  package struct Code: RawRepresentable, Sendable, Hashable {
    package var rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// An argument was out of range; nothing was done.
    package static let invalidArgument = Code(rawValue: "invalidArgument")
    /// OpenCV threw an exception.
    package static let exception = Code(rawValue: "exception")
    /// There was not enough memory.
    package static let outOfMemory = Code(rawValue: "outOfMemory")
    /// The search was ended by SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    package static let interrupted = Code(rawValue: "interrupted")
    /// The system refused a process or memory.
    package static let system = Code(rawValue: "system")
    /// No view could be used.
    package static let noUsableView = Code(rawValue: "noUsableView")
  }

  package var code: Code
  /// What was being done, for example "calibrating a fisheye lens".
  package var operation: String
  /// What went wrong, in OpenCV's words where they exist.
  package var message: String

  package init(code: Code, operation: String, message: String) {
    self.code = code
    self.operation = operation
    self.message = message
  }
}

extension OpenCVError: CustomStringConvertible {
  package var description: String { "\(operation): \(message)" }
}

/// Calls an entry of the bridge with a message buffer.
///
/// - Returns: The status, and the message that came with it.
func withBridgeMessage(
  _ call: (UnsafeMutablePointer<CChar>?, Int) -> ocvStatus
) -> (status: ocvStatus, message: String) {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
    buffer.initialize(repeating: 0)
    let status = call(buffer.baseAddress, buffer.count)
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return (status, String(decoding: bytes, as: UTF8.self))
  }
}

extension OpenCVError {
  /// The error for a status that is neither success nor an expected outcome.
  init(status: ocvStatus, operation: String, message: String) {
    let code: Code =
      switch status {
      case ocvStatusInvalidArgument: .invalidArgument
      case ocvStatusOutOfMemory: .outOfMemory
      case ocvStatusInterrupted: .interrupted
      case ocvStatusSystem: .system
      default: .exception
      }
    self.init(
      code: code, operation: operation,
      message: message.isEmpty ? "OpenCV gave no reason (status \(status.rawValue))" : message)
  }
}
