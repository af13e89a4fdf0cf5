import CameraIntrinsics
import Dispatch
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

// Frames: what an app's class looks like, and that errors say what is missing. No camera is needed.
final class Frames: CaptureVideoDataOutputSampleBufferDelegate {
  let session = CaptureSession()
  var matrices: [matrix_float3x3] = []

  init(store: IntrinsicsStore) throws {
    session.sessionPreset = .vga640x480
    session.intrinsicsStore = store
    let output = CaptureVideoDataOutput()
    output.videoSettings = VideoSettings(pixelFormat: .bgra32, orientation: .right)
    output.alwaysDiscardsLateVideoFrames = true
    output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "frames"))
    try session.addOutput(output)
    print(output.connections.isEmpty)
  }

  func captureOutput(
    _ output: CaptureOutput, didOutput sampleBuffer: SampleBuffer,
    from connection: CaptureConnection
  ) {
    if let matrix = sampleBuffer.cameraIntrinsicMatrix { matrices.append(matrix) }
  }
}
do {
  try Frames(store: store).session.startRunning()
} catch {
  print(error)
}
do {
  _ = try CaptureDevice(path: "/dev/video-none")
} catch {
  print(error.code == .noCamera)
}

// A resolution that was not calibrated answers nothing; scaling is asked for.
print(try store.intrinsics(for: device, resolution: Resolution(width: 320, height: 240)) == nil)
print(record.scaled(to: Resolution(width: 320, height: 240)).matrix.columns.2.x)
