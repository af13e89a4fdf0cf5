import CalibrationStore
import CameraModel

/// What was read, for people.
struct ImportReport {
  var record: IntrinsicsRecord
  var dialect: String
  var fileName: String

  var text: String {
    let camera = record.camera
    let k = camera.intrinsics
    let coefficients = zip(camera.lensModel.coefficientNames, camera.distortion)
      .map { "\($0) \($1)" }.joined(separator: ", ")
    let lines = [
      "\(fileName): \(dialect)",
      "  device       \(record.device.id)",
      "  resolution   \(camera.resolution)",
      "  intrinsics   fx \(k.fx), fy \(k.fy), cx \(k.cx), cy \(k.cy)",
      "  distortion   \(camera.lensModel.rawValue): \(coefficients)",
      "  verdict      \(record.verdict.level.rawValue)",
    ]
    let reasons = record.verdict.reasons.map { "               \($0)" }
    return (lines + reasons).map(\.printable).joined(separator: "\n")
  }
}
