internal import CalibrationStore
internal import CameraModel

/// OpenCV's keys in YAML that is YAML.
///
/// OpenCV writes `%YAML:1.0` and the tag `!!opencv-matrix`, on which every other reader stumbles.
/// Its own reader needs neither: `fs["camera_matrix"] >> mat` looks for rows, cols, dt and data.
enum OpenCVExport {
  static func text(for record: IntrinsicsRecord) throws(FormatError) -> String {
    let camera = record.camera
    let model: String
    switch camera.lensModel {
    case .pinhole: model = "plumb_bob"
    case .rational: model = "rational_polynomial"
    case .fisheye: model = "equidistant"
    case .spline: throw ExportFormat.opencv.noSpline
    }
    var text = """
      %YAML 1.2
      ---
      camera_name: \(YAMLText.quoted(record.device.name))
      calibration_time: \(YAMLText.quoted(record.created))
      image_width: \(camera.resolution.width)
      image_height: \(camera.resolution.height)
      fisheye_model: \(camera.lensModel == .fisheye ? 1 : 0)
      distortion_model: \(model)
      \(matrix("camera_matrix", rows: 3, columns: 3, camera.matrixRows))
      \(matrix("distortion_coefficients", rows: 1, columns: camera.distortion.count, camera.distortion))

      """
    if let rms = record.reprojectionError?.rms, rms.isFinite {
      text += "avg_reprojection_error: \(YAMLText.number(rms))\n"
    }
    return text
  }

  private static func matrix(_ key: String, rows: Int, columns: Int, _ values: [Double]) -> String {
    """
    \(key):
      rows: \(rows)
      cols: \(columns)
      dt: d
      data: \(YAMLText.list(values))
    """
  }
}
