internal import CV4L2
internal import Glibc
internal import Locking

/// A process that sets a camera's controls back to what they were when this process ends, also when it
/// is killed.
///
/// Start it before the first change, and early: the process is a copy of this one, and memory that is
/// written to afterwards exists twice.
package final class ControlGuardian: Sendable {
  /// What restoring a control did.
  package struct Outcome: Sendable, Hashable {
    package var setting: ControlValue
    /// Nil where it was set.
    package var failure: V4L2Error?
  }

  /// How long restoring may take: uvcvideo waits up to 5 s for an answer to one control.
  static let patienceMilliseconds: Int32 = 10_000

  private let settings: [ControlValue]
  private let subject: String
  /// Nil after the end.
  private let process: Lock<cv4l2_guardian?>

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - settings: What is to be restored, in this order: an automatic after what it rules.
  ///   - node: The camera.
  /// - Throws: `V4L2Error` with the code `outOfResources` or `systemCall`.
  package convenience init(
    restoring settings: [ControlValue], of node: VideoNode
  ) throws(V4L2Error) {
    let device = cv4l2_reopen(node.descriptor, node.path)
    guard device >= 0 else { throw Self.failure(-device, node.path) }
    defer { _ = cv4l2_close(device) }
    try self.init(restoring: settings, descriptor: device, subject: node.path, restorer: nil)
  }

  /// Starts the process over any descriptor and with another action; for tests.
  package init(
    restoring settings: [ControlValue], descriptor: Int32, subject: String,
    restorer: (@convention(c) (Int32, UInt32, Int32) -> Int32)?
  ) throws(V4L2Error) {
    let controls = settings.map { setting in
      var control = v4l2_control()
      control.id = setting.id
      control.value = Int32(clamping: setting.value)
      return control
    }
    var guardian = cv4l2_guardian()
    let status = controls.withUnsafeBufferPointer {
      cv4l2_guardian_start(descriptor, $0.baseAddress, UInt32($0.count), restorer, &guardian)
    }
    guard status >= 0 else { throw Self.failure(-status, subject) }
    self.settings = settings
    self.subject = subject
    process = Lock(guardian)
  }

  /// The process's number; nil after its end.
  package var processID: Int32? { process.withLock { $0?.process } }

  deinit { _ = restore() }

  /// Restores the controls and ends the process; a second time does nothing.
  ///
  /// - Returns: What became of each control; empty the second time.
  @discardableResult
  package func restore() -> [Outcome] {
    guard var guardian = take() else { return [] }
    var results = [Int32](repeating: 0, count: settings.count)
    let status = results.withUnsafeMutableBufferPointer {
      cv4l2_guardian_restore(
        &guardian, $0.baseAddress, UInt32($0.count), Self.patienceMilliseconds)
    }
    return zip(settings, results).map { setting, number in
      let number = number == ECANCELED && status < 0 ? -status : number
      return Outcome(
        setting: setting,
        failure: number == 0 ? nil : V4L2Error(number, during: .setControl, of: subject))
    }
  }

  /// Ends the process without restoring anything.
  package func dismiss() {
    guard var guardian = take() else { return }
    _ = cv4l2_guardian_dismiss(&guardian, Self.patienceMilliseconds)
  }

  private func take() -> cv4l2_guardian? {
    process.withLock { process in
      defer { process = nil }
      return process
    }
  }

  private static func failure(_ number: Int32, _ subject: String) -> V4L2Error {
    V4L2Error(
      code: number == EAGAIN || number == ENOMEM || number == EMFILE || number == ENFILE
        ? .outOfResources : .systemCall, subject: subject,
      message: "cannot start the process that restores the controls: "
        + String(cString: strerror(number)), systemError: number)
  }
}
