internal import CalibrationStore
internal import CameraModel

/// COLMAP's cameras.txt with one camera.
///
/// Source: colmap.github.io, "Cameras" and "Output format": the origin is the corner of the
/// top-left pixel, whose centre is (0.5, 0.5).
enum COLMAPExport {
  static func text(for record: IntrinsicsRecord) throws(FormatError) -> String {
    let camera = record.camera
    let d = camera.distortion
    let model: String
    let coefficients: [Double]
    switch camera.lensModel {
    case .fisheye: (model, coefficients) = ("OPENCV_FISHEYE", d)
    case .spline: throw ExportFormat.colmap.noSpline
    case .rational: (model, coefficients) = ("FULL_OPENCV", d)
    case .pinhole where d.allSatisfy { $0 == 0 && $0.sign == .plus }:
      (model, coefficients) = ("PINHOLE", [])
    case .pinhole where d[4] == 0 && d[4].sign == .plus:
      (model, coefficients) = ("OPENCV", Array(d[..<4]))
    case .pinhole:
      // Only FULL_OPENCV has a k3.
      (model, coefficients) = ("FULL_OPENCV", d + [0, 0, 0])
    }
    let i = camera.intrinsics
    let positions = try [i.cx, i.cy].map { (centre) throws(FormatError) in
      guard let text = DecimalText(centre), let half = DecimalText(0.5),
        let corner = text.adding(half)
      else {
        throw FormatError(.notRepresentable, "\(centre) is no position in an image")
      }
      return corner.text
    }
    let parameters = ["\(i.fx)", "\(i.fy)"] + positions + coefficients.map { "\($0)" }
    return """
      # Camera list with one line of data per camera:
      #   CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]
      # Number of cameras: 1
      1 \(model) \(camera.resolution.width) \(camera.resolution.height) \
      \(parameters.joined(separator: " "))

      """
  }
}
