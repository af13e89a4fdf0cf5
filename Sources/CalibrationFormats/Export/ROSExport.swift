internal import CalibrationStore
internal import CameraModel

/// ROS's camera_info YAML, as camera_calibration_parsers reads it.
enum ROSExport {
  static func text(for record: IntrinsicsRecord) throws(FormatError) -> String {
    let camera = record.camera
    let model: String
    switch camera.lensModel {
    case .pinhole: model = "plumb_bob"
    case .rational: model = "rational_polynomial"
    case .fisheye: model = "equidistant"
    case .spline: throw ExportFormat.ros.noSpline
    }
    let (fx, fy) = (camera.intrinsics.fx, camera.intrinsics.fy)
    let (cx, cy) = (camera.intrinsics.cx, camera.intrinsics.cy)
    // R and P describe a rectified camera: here the same one without distortion.
    let projection = [fx, 0, cx, 0, 0, fy, cy, 0, 0, 0, 1, 0]
    return """
      image_width: \(camera.resolution.width)
      image_height: \(camera.resolution.height)
      camera_name: \(YAMLText.quoted(record.device.name))
      \(matrix("camera_matrix", rows: 3, columns: 3, camera.matrixRows))
      distortion_model: \(model)
      \(matrix("distortion_coefficients", rows: 1, columns: camera.distortion.count, camera.distortion))
      \(matrix("rectification_matrix", rows: 3, columns: 3, [1, 0, 0, 0, 1, 0, 0, 0, 1]))
      \(matrix("projection_matrix", rows: 3, columns: 4, projection))

      """
  }

  private static func matrix(_ key: String, rows: Int, columns: Int, _ values: [Double]) -> String {
    """
    \(key):
      rows: \(rows)
      cols: \(columns)
      data: \(YAMLText.list(values))
    """
  }
}
