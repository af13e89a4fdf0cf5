// Looks up the intrinsics of a camera that another library takes frames from, as OpenCV's VideoCapture
// or GStreamer does.
//
//   look-up-intrinsics /dev/videoN [WIDTHxHEIGHT] [STORE]
//
// Needs the library product CameraIntrinsics and nothing else.

import CameraIntrinsics
import Glibc

/// Ends the program with a message on standard error.
func stop(_ message: String, status: Int32) -> Never {
  let line = Array((message + "\n").utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(status)
}

var arguments = Array(CommandLine.arguments.dropFirst())
let usage = "usage: look-up-intrinsics /dev/videoN [WIDTHxHEIGHT] [STORE]"
guard (1...3).contains(arguments.count) else { stop(usage, status: 64) }
let path = arguments.removeFirst()
let size = arguments.first.flatMap { Resolution($0) }
if size != nil { arguments.removeFirst() }
guard arguments.count < 2 else { stop(usage, status: 64) }

do {
  let store = IntrinsicsStore(try StoreRoots(given: arguments.first))

  let record: IntrinsicsRecord?
  if let size {
    // The size of the frames is known: what the capture library says *after* it was set. OpenCV's `set`
    // reports success whatever the camera does; ask `get(cv::CAP_PROP_FRAME_WIDTH)`.
    record = try store.intrinsics(forCameraAt: path, resolution: size)
  } else {
    // Or ask the camera for the size that it is set to. GStreamer's v4l2src shows its descriptor in the
    // property "device-fd"; here the camera is opened once more, which disturbs nobody.
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      stop("\(path): \(String(cString: strerror(errno)))", status: errno == EACCES ? 77 : 66)
    }
    defer { close(descriptor) }
    record = try store.intrinsics(forOpenCamera: descriptor)
  }

  guard let record else {
    stop("\(path) was not calibrated at this size: run calibrate at it", status: 1)
  }
  // Keep it: the look-up reads a file, and these numbers hold for every frame of this size as long as
  // focus and zoom stay as they were.
  print(record.camera.resolution, record.matrix)
  for (name, control) in (record.lensControls ?? [:]).sorted(by: { $0.key < $1.key }) {
    print("\(name) must be \(control.value)")
  }
} catch {
  stop("\(error)", status: 69)
}
