import CameraModel
import Testing

@testable import CalibrationFormats

/// The camera in a text.
func read(_ text: String, _ options: ImportOptions = ImportOptions()) throws -> ImportedCamera {
  try CalibrationFile.camera(in: Array(text.utf8), options: options)
}

/// The error that a text gives.
func failure(
  _ text: String, _ options: ImportOptions = ImportOptions(),
  sourceLocation: SourceLocation = #_sourceLocation
) -> FormatError? {
  #expect(throws: FormatError.self, sourceLocation: sourceLocation) { try read(text, options) }
}

extension ImportedCamera {
  /// Lens model, fx, fy, cx, cy and coefficients in one line, for comparisons.
  var summary: String {
    "\(camera.resolution) \(camera.lensModel.rawValue) "
      + camera.parameterVector.map { "\($0)" }.joined(separator: " ")
  }
}
