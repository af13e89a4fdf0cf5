// Reads the stored intrinsics of a camera, as a vision app does when it starts.
//
//   read-intrinsics DEVICE WIDTHxHEIGHT [STORE]
//
// Needs the library product CameraIntrinsics and nothing else: no OpenCV, no network.

import CameraIntrinsics
import FoundationEssentials
import Glibc

/// Ends the program with a message on standard error.
func stop(_ message: String, status: Int32) -> Never {
  let line = Array((message + "\n").utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(status)
}

let usage = """
  usage: read-intrinsics DEVICE WIDTHxHEIGHT [STORE]

  Prints the intrinsic matrix of DEVICE (an id or a name) at WIDTHxHEIGHT as calibrated in the folder
  STORE, as stored, as iOS has it, and for frames of half the size.
  """

/// Ends the program because of what stands on its command line.
func refuse(_ reason: String) -> Never {
  stop("read-intrinsics: \(reason)\n\(usage)", status: 64)
}

let arguments = CommandLine.arguments
if arguments.contains(where: { ["--help", "-h"].contains($0) }) {
  print(usage)
  exit(0)
}
if arguments.count < 2 { refuse("DEVICE is missing") }
if arguments.count < 3 { refuse("WIDTHxHEIGHT is missing") }
if arguments.count > 4 { refuse("'\(arguments[4])' is one argument too many") }
guard let resolution = Resolution(arguments[2]) else {
  refuse("'\(arguments[2])' is no size; it is written like 1280x720")
}

do {
  // Without a folder: $CAMERA_CALIBRATIONS, ./calibrations, then the user's own store.
  let store = IntrinsicsStore(try StoreRoots(given: arguments.count == 4 ? arguments[3] : nil))

  // By device id or by the name that people gave it.
  guard let device = try store.device(matching: arguments[1]),
    let record = try store.intrinsics(for: device, resolution: resolution)
  else {
    stop("no calibration of \(arguments[1]) at \(resolution)", status: 1)
  }

  // The numbers as stored: the centre of the top-left pixel is (0, 0).
  print(record.matrix)

  // As iOS attaches them to a sample buffer: 48 bytes, column-major, the principal point measured
  // from the top-left pixel's corner.
  let data = record.matrixData(origin: .corner)
  let matrix = data.withUnsafeBytes { $0.load(as: matrix_float3x3.self) }
  print("fx \(matrix[0, 0]) fy \(matrix[1, 1]) ox \(matrix[2, 0]) oy \(matrix[2, 1])")

  // For frames that the app halves; scaling is right only for a resize of these very frames.
  let half = Resolution(width: resolution.width / 2, height: resolution.height / 2)
  print(record.camera.scaled(to: half).intrinsics.matrix())
} catch {
  // A record that can't be read is not the same as no record.
  stop("\(error)", status: 66)
}
