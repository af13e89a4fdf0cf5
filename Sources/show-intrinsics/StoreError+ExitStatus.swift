import CalibrationStore
import CommandLineTool
import Glibc

extension StoreError {
  /// The status that a command ends with after this error.
  var exitStatus: ExitStatus {
    switch code {
    case .notFound: .noCalibration
    case .ambiguous, .invalidDevice, .alreadyExists, .noRoot: .usage
    case .notWritable, .busy:
      systemError == EACCES || systemError == EPERM ? .noPermission : .notStored
    default: systemError == EACCES || systemError == EPERM ? .noPermission : .sourceUnavailable
    }
  }
}
