import CalibrationStore
import CameraModel
import Testing

@testable import CalibrationFormats

/// SplitMix64 (Steele, Lea and Flood, 2014): small, and the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@Suite("Export")
struct ExportTests {
  static let seed: UInt64 = 20_240_611

  static func record(_ camera: CameraParameters, name: String = "Test camera") -> IntrinsicsRecord {
    IntrinsicsRecord(
      device: .init(
        id: DeviceID(rawValue: "name:test-camera"), name: name, identifiedBy: "given name"),
      camera: camera, verdict: .init(level: .good, reasons: []), created: "2024-06-11T09:30:00Z",
      tool: "test")
  }

  /// A camera with numbers of all 53 bits; for Kalibr without k3.
  static func randomCamera(
    _ lens: LensModel, withoutK3: Bool, _ generator: inout SeededGenerator
  ) -> CameraParameters {
    let resolution = Resolution(
      width: .random(in: 16...9000, using: &generator),
      height: .random(in: 16...9000, using: &generator))
    let width = Double(resolution.width)
    let height = Double(resolution.height)
    var distortion = lens.coefficientNames.map { _ in
      // Coefficients are small more often than not, and some are exactly zero.
      Bool.random(using: &generator)
        ? Double.random(in: -1...1, using: &generator)
        : Double.random(in: -1e-7...1e-7, using: &generator)
    }
    if withoutK3, lens == .pinhole { distortion[4] = 0 }
    if Int.random(in: 0..<10, using: &generator) == 0, lens == .pinhole {
      distortion = distortion.map { _ in 0 }
    }
    return CameraParameters(
      resolution: resolution, lensModel: lens,
      intrinsics: Intrinsics(
        fx: .random(in: 0.1 * width...10 * width, using: &generator),
        fy: .random(in: 0.1 * width...10 * width, using: &generator),
        cx: .random(in: -0.3 * width...1.3 * width, using: &generator),
        cy: .random(in: -0.3 * height...1.3 * height, using: &generator)),
      distortion: distortion)
  }

  static func bits(_ camera: CameraParameters) -> [UInt64] {
    camera.parameterVector.map(\.bitPattern)
  }

  @Test(
    "Export and import give the same bits", arguments: ExportFormat.allCases, LensModel.allCases)
  func roundTrip(format: ExportFormat, lens: LensModel) throws {
    if format == .kalibr, lens == .rational { return }
    var generator = SeededGenerator(state: Self.seed)
    for _ in 0..<60 {
      let camera = Self.randomCamera(lens, withoutK3: format == .kalibr, &generator)
      let text = try format.text(for: Self.record(camera))
      let read = try CalibrationFile.camera(in: Array(text.utf8))
      #expect(Self.bits(read.camera) == Self.bits(camera), "\(text)")
      #expect(read.camera.resolution == camera.resolution)
      #expect(read.camera.lensModel == camera.lensModel)
    }
  }

  @Test("The RMS error that an OpenCV file states is read back", arguments: LensModel.allCases)
  func statedErrorIsReadBack(lens: LensModel) throws {
    var generator = SeededGenerator(state: Self.seed)
    var record = Self.record(Self.randomCamera(lens, withoutK3: false, &generator))
    record.reprojectionError = .init(rms: 0.2371, sigma: 0.17, heldOutSigma: nil)
    let text = try ExportFormat.opencv.text(for: record)
    #expect(try CalibrationFile.camera(in: Array(text.utf8)).rms == 0.2371)
  }
}
