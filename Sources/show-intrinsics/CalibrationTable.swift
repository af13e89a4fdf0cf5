import CalibrationStore
import CameraModel
import CommandLineTool

/// The table of all that is stored.
struct CalibrationTable {
  var entries: [StoredCalibration]
  var now: UTCTime
  var origin: PixelOrigin

  var text: String {
    var table = TextTable(
      header: ["DEVICE", "SIZE", "FX", "FY", "CX", "CY", "HFOV", "RMS", "VERDICT", "AGE"],
      alignments: [.left, .left] + Array(repeating: .right, count: 6) + [.left, .left])
    for entry in entries {
      switch entry.record {
      case .success(let record): table.rows.append(row(record))
      case .failure:
        table.rows.append(
          [entry.device.rawValue.printable, entry.resolution.description]
            + Array(repeating: "–", count: 6) + ["unreadable", "–"])
      }
    }
    return table.text
  }

  private func row(_ record: IntrinsicsRecord) -> [String] {
    let k = record.camera.intrinsics
    let shift = origin == .corner ? 0.5 : 0
    return [
      record.device.id.rawValue.printable, record.camera.resolution.description,
      fixed(k.fx, 2), fixed(k.fy, 2), fixed(k.cx + shift, 2), fixed(k.cy + shift, 2),
      degrees(record.camera.horizontalFieldOfView),
      fixed(record.reprojectionError?.rms, 3), record.verdict.level.rawValue,
      age(since: UTCTime(record.created), now: now),
    ]
  }
}
