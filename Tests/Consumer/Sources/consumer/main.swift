import CameraIntrinsics
import FoundationEssentials

// What an app does with the library: look intrinsics up and use them as on iOS. The record is written
// by the app itself, so that this runs without a camera and without the commands.
let store = IntrinsicsStore(root: CommandLine.arguments.dropFirst().first ?? "calibrations")
let device = DeviceID(rawValue: "name:consumer")
let resolution = Resolution(width: 640, height: 480)

let camera = CameraParameters(
  resolution: resolution, lensModel: .pinhole,
  intrinsics: Intrinsics(fx: 533, fy: 534, cx: 342.5, cy: 234), distortion: [-0.25, 0, 0, 0, 0])
try store.save(
  IntrinsicsRecord(
    device: .init(id: device, name: "consumer", identifiedBy: "given name"), camera: camera,
    verdict: .init(level: .good, reasons: []), created: "2026-01-02T03:04:05Z", tool: "consumer"),
  points: nil, replace: true)

guard let record = try store.intrinsics(for: device, resolution: resolution) else {
  fatalError("nothing was stored")
}
print(record.matrix)

// The article's idiom: the bytes as a matrix.
let data: Data = record.matrixData
let matrix = data.withUnsafeBytes { $0.loadUnaligned(as: matrix_float3x3.self) }
print(data.count, matrix == record.matrix)

// A pixel, its ray, and back.
if let ray = record.camera.unproject(SIMD2(320, 240)), let pixel = record.camera.project(ray) {
  print(abs(pixel.x - 320) < 1e-9 && abs(pixel.y - 240) < 1e-9)
}

// A resolution that was not calibrated answers nothing; scaling is asked for.
print(try store.intrinsics(for: device, resolution: Resolution(width: 320, height: 240)) == nil)
print(record.scaled(to: Resolution(width: 320, height: 240)).matrix.columns.2.x)
