import CalibrationStore
import CameraModel
import Testing

@testable import CalibrationFormats

@Suite("Records from imports")
struct RecordTests {
  static let device = IntrinsicsRecord.DeviceIdentity(
    id: DeviceID(rawValue: "name:test"), name: "Test", identifiedBy: "given name")

  static func record(of camera: ImportedCamera) -> IntrinsicsRecord {
    camera.record(
      for: device, created: "2024-06-11T09:30:00Z", tool: "import-calibration 0", fileName: "a.yml")
  }

  @Test("Our own record comes through whole, but for the device")
  func ownRecord() throws {
    var record = ExportTests.record(
      CameraParameters(
        resolution: Resolution(width: 640, height: 480), lensModel: .rational,
        parameterVector: [500.1, 501.2, 320.3, 240.4, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]))
    record.standardDeviations = ["fx": 0.25, "k1": 1e-3]
    record.reprojectionError = .init(rms: 0.3, sigma: 0.2, heldOutSigma: 0.25)
    record.held = ["k6": "not worth its uncertainty"]
    record.views = [.init(source: "left01.jpg", used: false, reason: "blurred")]
    record.board = .init(kind: "chessboard", columns: 9, rows: 6, squareSize: 0.025)
    record.lensControls = ["focus_absolute": .init(value: 30, locked: true)]
    let read = try read(record.jsonText())
    var moved = record
    moved.device = Self.device
    #expect(Self.record(of: read) == moved)
    #expect(read.record == record)
    // The list that `show-intrinsics --format json` prints.
    var other = record
    other.camera.resolution = Resolution(width: 320, height: 240)
    let list = "[" + (try record.jsonText()) + "," + (try other.jsonText()) + "]"
    #expect(failure(list)?.message.contains("name:test-camera@320x240") ?? false)
    let options = ImportOptions(camera: "name:test-camera@320x240")
    #expect(try CalibrationFile.camera(in: Array(list.utf8), options: options).record == other)
  }

  @Test("A record that is none, or from the future, is refused with the store's own words")
  func badRecord() {
    #expect(
      failure("{\"schema\": 9, \"lensModel\": \"pinhole\"}")?.message.contains("newer version")
        ?? false)
    #expect(
      failure("{\"schema\": 1, \"lensModel\": \"novel\"}")?.message.contains("novel") ?? false)
  }

  @Test("An imported camera is usable, and the record says where it came from")
  func provenance() throws {
    let text = OpenCVDialectTests.yaml(
      coefficients: "[-0.2, 0, 0, 0, 0]",
      more: "avg_reprojection_error: 0.25\ncalibration_time: \"Tue 1\"")
    let record = Self.record(of: try read(text))
    #expect(record.verdict.level == .usable)
    #expect(record.verdict.reasons.last?.contains("not measured here") ?? false)
    #expect(record.tool == "import-calibration 0 from OpenCV YAML a.yml, dated Tue 1")
    #expect(record.reprojectionError?.rms == 0.25)
    #expect(record.reprojectionError?.sigma.isNaN ?? false)
    let stored = try IntrinsicsRecord(jsonBytes: Array(record.jsonText().utf8))
    #expect(stored.reprojectionError?.rms == 0.25)
  }

  @Test("Numbers that can't be right for their image size are poor")
  func implausible() throws {
    let outside = Self.record(
      of: try read(OpenCVDialectTests.yaml(matrix: "[500, 0, 1223.5, 0, 501, 240, 0, 0, 1]")))
    #expect(outside.verdict.level == .poor)
    #expect(outside.verdict.reasons.first?.contains("outside the 640x480 image") ?? false)
    // r (1 − 2 r²) turns back at r = 0.41, inside the image, whose corners are at 0.8.
    let folded = Self.record(
      of: try read(OpenCVDialectTests.yaml(coefficients: "[-2, 0, 0, 0, 0]")))
    #expect(folded.verdict.level == .poor)
    #expect(folded.verdict.reasons.first?.contains("folds over") ?? false)
    let sound = Self.record(
      of: try read(OpenCVDialectTests.yaml(coefficients: "[-0.2, 0, 0, 0, 0]")))
    #expect(sound.verdict.reasons.count == 1)
  }

  @Test(
    "Deviations that a file states are kept",
    .enabled(if: SharedFiles.exist, "needs the shared data"))
  func deviations() throws {
    let camera = try CalibrationFile.read(
      SharedFiles.path("kalibr_results_cam.txt"),
      options: ImportOptions(resolution: Resolution(width: 1280, height: 720)))
    #expect(
      camera.standardDeviations == [
        "fx": 13.55285202, "fy": 13.55997013, "cx": 3.43951007, "cy": 5.25161808, "k1": 0.01271195,
        "k2": 0.02384175, "p1": 0.00159536, "p2": 0.00104253,
      ])
  }
}
