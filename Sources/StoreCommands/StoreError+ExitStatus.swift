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

/// Runs `body`, whose errors become messages with the right exit status.
package func asFailure<Value>(
  _ body: () throws(StoreError) -> Value
) throws(CommandFailure) -> Value {
  do {
    return try body()
  } catch {
    throw CommandFailure(error.exitStatus, "\(error)")
  }
}
