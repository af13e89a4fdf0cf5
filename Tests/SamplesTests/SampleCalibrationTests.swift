import CalibrationStore
import CameraModel
import Foundation
import Testing

/// The commands of `samples/README.md`, as written there.
@Suite("Sample frames")
struct SampleCalibrationTests {
  private struct Truth: Decodable {
    struct Camera: Decodable {
      var fx, fy, cx, cy: Double
      var distortion: [String: Double]
    }
    var camera: Camera
  }

  @Test("the sample frames give a good calibration that agrees with their truth")
  func calibration() throws {
    let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "samples")
    let root = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    let run = try Program("calibrate").run([
      "--board", "9x6", "--square", "25mm", "--device-name", "sample", "--store", root,
      samples.appending(path: "board-sequence").path,
    ])
    #expect(run.status == 0, "\(run.errors)")
    let record = try #require(
      try IntrinsicsStore(root: root).intrinsics(
        for: DeviceID(rawValue: "name:sample"), resolution: Resolution(width: 640, height: 480)))
    #expect(record.verdict.level == .good, "\(record.verdict.reasons)")
    let truth = try JSONDecoder().decode(
      Truth.self,
      from: Data(contentsOf: samples.appending(path: "board-sequence/truth.json"))
    ).camera
    let measured = Dictionary(
      uniqueKeysWithValues: zip(
        record.camera.lensModel.parameterNames, record.camera.parameterVector))
    let expected = truth.distortion.merging(
      ["fx": truth.fx, "fy": truth.fy, "cx": truth.cx, "cy": truth.cy]) { $1 }
    for (name, value) in expected {
      let found = try #require(measured[name])
      // Nine numbers of one draw: 4.5σ leaves a chance of 1 in 10 000 that a right program fails, and
      // corners found with a bias of a few hundredths of a pixel (8-bit, one finder) are within it.
      guard let deviation = record.standardDeviations[name] else {
        #expect(found == value, "\(name) was not measured and is held at \(found)")
        continue
      }
      #expect(
        abs(found - value) < 4.5 * deviation, "\(name) \(found) ± \(deviation), true \(value)")
    }
    let shown = try Program("read-intrinsics").run(["sample", "640x480", root])
    #expect(shown.status == 0 && shown.output.contains("matrix_float3x3([[486."))
  }
}
