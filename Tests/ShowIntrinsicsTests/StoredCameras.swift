import CalibrationStore
import CameraModel

/// Records for the tests of the command.
enum StoredCameras {
  static let left = DeviceID(rawValue: "name:left")
  static let camera = DeviceID(rawValue: "usb:046d:0825:1A2B")

  static func record(
    _ device: DeviceID = left, name: String = "Left", width: Int = 640, height: Int = 480,
    fx: Double = 533, level: IntrinsicsRecord.Verdict.Level = .good
  ) -> IntrinsicsRecord {
    var record = IntrinsicsRecord(
      device: .init(id: device, name: name, identifiedBy: "given name"),
      camera: CameraParameters(
        resolution: Resolution(width: width, height: height),
        intrinsics: Intrinsics(fx: fx, fy: fx + 0.25, cx: 342.5, cy: 234.125),
        distortion: [-0.28, 0.025, 0.0012, -0.00013]),
      verdict: .init(level: level, reasons: ["tilt the board more"]),
      created: UTCTime.now.description, tool: "calibrate 0.1.0")
    record.standardDeviations = ["fx": 0.5, "fy": 0.25, "cx": 0.125, "cy": 1, "k1": 0.001]
    record.held = ["k3": "did not lower the held-out error"]
    record.reprojectionError = .init(rms: 0.1834, sigma: 0.13, heldOutSigma: 0.1401)
    record.board = .init(kind: "chessboard", columns: 9, rows: 6, squareSize: 0.025)
    record.views = [
      .init(source: "a.jpg", used: true), .init(source: "b.jpg", used: false, reason: "blurred"),
    ]
    return record
  }
}
