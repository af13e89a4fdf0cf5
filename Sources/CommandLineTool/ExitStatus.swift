/// The status that a command ends with.
///
/// 64 and above follow BSD's `sysexits.h`; 128 + n stands for the signal n, as in a shell. Messages
/// tell apart what statuses do not.
package struct ExitStatus: RawRepresentable, Sendable, Hashable {
  /// The number, 0…255.
  package var rawValue: Int32

  /// Creates a status from its number.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done.
  package static let success = ExitStatus(rawValue: 0)
  /// No calibration is possible from what was given.
  package static let noCalibration = ExitStatus(rawValue: 1)
  /// A calibration was stored, and its verdict is "poor".
  package static let poor = ExitStatus(rawValue: 2)
  /// A comparison found a difference.
  package static let differs = ExitStatus(rawValue: 3)
  /// The command line was wrong.
  package static let usage = ExitStatus(rawValue: 64)
  /// What a file holds makes no sense.
  package static let badData = ExitStatus(rawValue: 65)
  /// A source is missing or unreadable.
  package static let sourceUnavailable = ExitStatus(rawValue: 66)
  /// A camera is absent, busy, unplugged or sends no frames.
  package static let cameraUnavailable = ExitStatus(rawValue: 69)
  /// Something could not be stored or written.
  package static let notStored = ExitStatus(rawValue: 73)
  /// Standard output could not be written.
  package static let outputFailed = ExitStatus(rawValue: 74)
  /// Permission was refused.
  package static let noPermission = ExitStatus(rawValue: 77)
  /// The terminal was closed (SIGHUP).
  package static let hungUp = ExitStatus(rawValue: 129)
  /// Interrupted by Ctrl-C (SIGINT).
  package static let interrupted = ExitStatus(rawValue: 130)
  /// The reader of standard output went away (SIGPIPE's number; nothing is said).
  package static let brokenPipe = ExitStatus(rawValue: 141)
  /// Ended by SIGTERM.
  package static let terminated = ExitStatus(rawValue: 143)
}

extension ExitStatus {
  /// What the status means, for the EXIT STATUS section of a manual page.
  package var meaning: String {
    switch self {
    case .success: "Done."
    case .noCalibration: "No calibration is possible from what was given."
    case .poor: "Stored, but the verdict is poor."
    case .differs: "A difference was found."
    case .usage: "The command line is wrong."
    case .badData: "What a file of points holds makes no sense."
    case .sourceUnavailable: "A source is missing or unreadable."
    case .cameraUnavailable:
      "The camera is absent, busy or unplugged, has no bandwidth or sends no frames."
    case .notStored:
      "Not stored or not written, as the message says; a record that was measured is on standard "
        + "output and saved where the message says."
    case .outputFailed: "Standard output could not be written."
    case .noPermission: "Permission was refused."
    case .hungUp: "The terminal was closed (SIGHUP)."
    case .interrupted: "Interrupted (SIGINT); nothing is left half-written."
    case .brokenPipe: "The reader of standard output went away."
    case .terminated: "Ended by SIGTERM; nothing is left half-written."
    default: "Status \(rawValue)."
    }
  }
}
