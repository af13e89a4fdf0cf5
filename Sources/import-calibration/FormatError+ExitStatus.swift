import CalibrationFormats
import CommandLineTool

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
