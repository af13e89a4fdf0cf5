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
    "Export and import give the same bits", arguments: ExportFormat.allCases,
    LensModel.allCases.filter { $0 != .spline })
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

  @Test("What no other program knows is refused, and what can hold it is named")
  func splines() {
    var generator = SeededGenerator(state: Self.seed)
    let record = Self.record(Self.randomCamera(.spline, withoutK3: false, &generator))
    for format in ExportFormat.allCases {
      do throws(FormatError) {
        _ = try format.text(for: record)
        Issue.record("\(format) holds a spline")
      } catch {
        #expect(error.code == .notRepresentable)
        #expect("\(error)".contains("\(format.rawValue) has no spline lens; json"), "\(error)")
      }
    }
  }

  @Test("Our own JSON is imported with its limit, and refused where that is no angle")
  func ownRecord() throws {
    let camera = CameraParameters(
      resolution: Resolution(width: 640, height: 480), lensModel: .spline,
      intrinsics: Intrinsics(fx: 240.1, fy: 241.2, cx: 322.3, cy: 238.4),
      distortion: [0.05, -0.01, 0.001, -0.002, 0.004, -0.001, 0.02, -0.004, 0.06, 1.7])
    let text = try Self.record(camera).jsonText()
    #expect(Self.bits(try CalibrationFile.camera(in: Array(text.utf8)).camera) == Self.bits(camera))
    for bad in ["0", "-1", "3.2"] {
      let other = text.replacing("\"thetaMax\": 1.7", with: "\"thetaMax\": \(bad)")
      #expect(other != text)
      #expect(throws: FormatError.self) { try CalibrationFile.camera(in: Array(other.utf8)) }
    }
  }

  @Test(
    "The RMS error that an OpenCV file states is read back",
    arguments: LensModel.allCases.filter { $0 != .spline })
  func statedErrorIsReadBack(lens: LensModel) throws {
    var generator = SeededGenerator(state: Self.seed)
    var record = Self.record(Self.randomCamera(lens, withoutK3: false, &generator))
    record.reprojectionError = .init(rms: 0.2371, sigma: 0.17, heldOutSigma: nil)
    let text = try ExportFormat.opencv.text(for: record)
    #expect(try CalibrationFile.camera(in: Array(text.utf8)).rms == 0.2371)
  }
}
