package import CalibrationStore
package import CommandLineTool
import Glibc

extension StoreError {
  /// The status that a command ends with after this error.
  package var exitStatus: ExitStatus {
    switch code {
    case .notFound: .noCalibration
    case .ambiguous, .invalidDevice, .alreadyExists, .noRoot: .usage
    case .cameraUnknown: .cameraUnavailable
    case .notWritable, .busy:
      systemError == EACCES || systemError == EPERM ? .noPermission : .notStored
    default: systemError == EACCES || systemError == EPERM ? .noPermission : .sourceUnavailable
    }
  }
}

extension StoreError {
  /// What helps where a store cannot be written, as the end of a message of a command with `--store`;
  /// empty where another folder would not help.
  package var storeAdvice: String {
    switch systemError {
    case ENOSPC, EDQUOT, EROFS, EACCES, EPERM: "; --store DIR takes another folder"
    default: ""
    }
  }
}

/// Runs `body`, whose errors become messages with the right exit status.
///
/// - Parameter fallback: The status of errors that are not the user's fault and not a matter of
///   permission; nil for the error's own.
package func asFailure<Value>(
  _ fallback: ExitStatus? = nil, _ body: () throws(StoreError) -> Value
) throws(CommandFailure) -> Value {
  do {
    return try body()
  } catch {
    let status = error.exitStatus
    let isOwn = status == .usage || status == .noPermission
    throw CommandFailure(isOwn ? status : fallback ?? status, "\(error)")
  }
}
