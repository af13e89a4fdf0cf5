package import CalibrationStore
internal import CameraModel

/// The formats of other programs in which a calibration can be written.
///
/// Numbers are written as the shortest decimal text that reads back to the same `Double`. What a
/// format can't hold is an error, never left out silently.
package enum ExportFormat: String, Sendable, Hashable, CaseIterable {
  /// YAML that OpenCV's FileStorage (4.x, 5.x) and plain YAML readers such as PyYAML read.
  case opencv
  /// ROS's camera_info YAML.
  case ros
  /// A Kalibr camchain YAML with one camera, `cam0`.
  case kalibr
  /// COLMAP's `cameras.txt` with one camera, 1; pixel positions from the corner, as COLMAP has them.
  case colmap

  /// The text of a file that holds `record`'s camera.
  ///
  /// - Throws: `FormatError` where the format has no place for the lens.
  package func text(for record: IntrinsicsRecord) throws(FormatError) -> String {
    guard record.camera.parameterVector.allSatisfy(\.isFinite) else {
      throw FormatError(
        .notRepresentable, "the record holds parameters that are no finite numbers")
    }
    switch self {
    case .opencv: return try OpenCVExport.text(for: record)
    case .ros: return try ROSExport.text(for: record)
    case .kalibr: return try KalibrExport.text(for: record)
    case .colmap: return try COLMAPExport.text(for: record)
    }
  }
}

extension ExportFormat {
  /// The error of a spline lens, which none of these programs knows.
  var noSpline: FormatError {
    FormatError(
      .notRepresentable,
      "\(rawValue) has no spline lens; json holds it whole and float3x3 its matrix, and calibrate --lens "
        + "fisheye gives a lens that every format here can hold")
  }
}

/// Texts that every YAML reader takes for what they are.
enum YAMLText {
  /// A number: always with a point and, before an exponent, a digit on both of its sides, without
  /// which YAML 1.1 readers (PyYAML) take `1e-05` for text.
  static func number(_ value: Double) -> String {
    let text = "\(value)"
    guard let exponent = text.firstIndex(of: "e"), !text[..<exponent].contains(".") else {
      return text
    }
    return text[..<exponent] + ".0" + text[exponent...]
  }

  /// Numbers in brackets.
  static func list(_ values: [Double]) -> String {
    "[" + values.map(number).joined(separator: ", ") + "]"
  }

  /// Text in double quotes; control characters, which OpenCV's reader can't take, become blanks.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.properties.generalCategory == .control: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension CameraParameters {
  /// The camera matrix, row by row.
  var matrixRows: [Double] {
    [intrinsics.fx, 0, intrinsics.cx, 0, intrinsics.fy, intrinsics.cy, 0, 0, 1]
  }
}
