import CalibrationFormats
import CalibrationStore
import CommandLineTool
import Glibc

extension FormatError {
  /// The status that the command ends with after this error.
  var exitStatus: ExitStatus {
    switch code {
    case .notFound, .unreadable, .tooLarge, .syntax: .sourceUnavailable
    case .noPermission: .noPermission
    case .missingSize, .ambiguousLens, .chooseCamera: .usage
    default: .noCalibration
    }
  }
}

extension StoreError {
  /// The status that the command ends with after this error.
  var exitStatus: ExitStatus {
    switch code {
    case .ambiguous, .invalidDevice, .noRoot: .usage
    default: systemError == EACCES || systemError == EPERM ? .noPermission : .notStored
    }
  }
}
