// Saves records in a loop, for tests that kill it, run several of it at once, or take its disk away.
//
//   store-writer ROOT DEVICE FIRST COUNT [BYTES]
//
// Record i has fx = FIRST + i. Each is acknowledged by a line with its number on standard output once
// it is saved. BYTES is a limit on the size of files (RLIMIT_FSIZE).

import CalibrationStore
import CameraModel
import Glibc

let arguments = CommandLine.arguments
guard arguments.count >= 5, let first = Int(arguments[3]), let count = Int(arguments[4]) else {
  exit(64)
}
if arguments.count > 5, let bytes = UInt(arguments[5]) {
  var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
  guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(71) }
}

let store = IntrinsicsStore(root: arguments[1])
for index in 0..<count {
  let record = IntrinsicsRecord(
    device: .init(
      id: DeviceID(rawValue: arguments[2]), name: "camera", identifiedBy: "serial number"),
    camera: CameraParameters(
      resolution: Resolution(width: 640, height: 480),
      intrinsics: Intrinsics(fx: Double(first + index), fy: 500, cx: 320, cy: 240)),
    verdict: .init(level: .good, reasons: []), created: "2026-11-30T05:21:30Z", tool: "test")
  let points = CalibrationPoints(
    views: [
      .init(
        source: "\(first + index)", board: [SIMD3<Double>](repeating: SIMD3(), count: 40),
        pixels: [SIMD2<Double>](repeating: SIMD2(Double(index), 0.1), count: 40))
    ])
  do {
    try store.save(record, points: points)
  } catch {
    let message = Array("\(error)\n".utf8)
    _ = write(STDERR_FILENO, message, message.count)
    exit(73)
  }
  let line = Array("\(first + index)\n".utf8)
  _ = write(STDOUT_FILENO, line, line.count)
}
