internal import CalibrationStore
internal import CameraModel

/// A Kalibr camchain with one camera: pinhole-radtan (k1 k2 p1 p2) or pinhole-equi (k1 k2 k3 k4).
enum KalibrExport {
  static func text(for record: IntrinsicsRecord) throws(FormatError) -> String {
    let camera = record.camera
    let model: String
    switch camera.lensModel {
    case .fisheye: model = "equidistant"
    case .pinhole:
      guard camera.distortion[4] == 0 else {
        throw FormatError(
          .notRepresentable,
          "Kalibr's radtan model has no k3, and this lens has k3 = \(camera.distortion[4]); "
            + "calibrate with --coefficients 4, or export opencv, ros or colmap")
      }
      model = "radtan"
    case .rational:
      throw FormatError(
        .notRepresentable,
        "Kalibr has no rational lens model; calibrate with --lens pinhole --coefficients 4 or "
          + "--lens fisheye, or export opencv, ros or colmap")
    case .spline: throw ExportFormat.kalibr.noSpline
    }
    let i = camera.intrinsics
    return """
      cam0:
        camera_model: pinhole
        intrinsics: \(YAMLText.list([i.fx, i.fy, i.cx, i.cy]))
        distortion_model: \(model)
        distortion_coeffs: \(YAMLText.list(Array(camera.distortion[..<4])))
        rostopic: /cam0/image_raw
        resolution: [\(camera.resolution.width), \(camera.resolution.height)]
        cam_overlaps: []

      """
  }
}
