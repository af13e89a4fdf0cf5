import CalibrationStore
import CameraModel
import Foundation

/// A store in a temporary folder that goes with the last reference.
final class StoreFolder {
  let store: IntrinsicsStore

  static let camera = CameraParameters(
    resolution: Resolution(width: 640, height: 480), lensModel: .pinhole,
    intrinsics: Intrinsics(fx: 533.5, fy: 534.25, cx: 341.5, cy: 235), distortion: [-0.25, 0.1])

  init() throws {
    store = IntrinsicsStore(
      root: FileManager.default.temporaryDirectory.appending(path: "capture-\(UUID())").path)
  }

  deinit { try? FileManager.default.removeItem(atPath: store.root) }

  func save(
    device: String = "usb:1234:5678:A", lensControls: [String: IntrinsicsRecord.LensControl]? = nil,
    verdict: IntrinsicsRecord.Verdict.Level = .good
  ) throws {
    var record = IntrinsicsRecord(
      device: .init(
        id: DeviceID(rawValue: device), name: "Fake Camera", identifiedBy: "serial number"),
      camera: Self.camera, verdict: .init(level: verdict, reasons: ["a reason"]),
      created: "2026-11-30T05:21:30Z", tool: "test")
    record.lensControls = lensControls
    try store.save(record, points: nil, replace: true)
  }
}
