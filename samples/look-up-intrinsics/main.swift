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

/// What stands on the command line.
struct Arguments {
  static let usage = """
    usage: look-up-intrinsics /dev/videoN [WIDTHxHEIGHT] [STORE]

    Prints the intrinsic matrix of the camera at WIDTHxHEIGHT, or at the size that it is set to, as
    calibrated in the folder STORE. A STORE whose name begins with a digit is written like ./2026.
    """

  let path: String
  let size: Resolution?
  let store: String?

  init(_ words: [String]) {
    if words.contains(where: { ["--help", "-h"].contains($0) }) {
      print(Self.usage)
      exit(0)
    }
    var words = words[...]
    guard let path = words.popFirst() else { Self.refuse("a camera's device file is missing") }
    if path.hasPrefix("-") { Self.refuse("unknown option '\(path)'") }
    self.path = path
    // What begins with a digit is meant as a size: mistyped, it must not be taken for a folder.
    let start = words.first?.first ?? "-"
    if let text = words.first, words.count > 1 || "0123456789".contains(start) {
      guard let size = Resolution(text) else {
        Self.refuse("'\(text)' is no size; it is written like 1280x720")
      }
      self.size = size
      words.removeFirst()
    } else {
      size = nil
    }
    store = words.popFirst()
    if let more = words.first { Self.refuse("'\(more)' is one argument too many") }
  }

  private static func refuse(_ reason: String) -> Never {
    stop("look-up-intrinsics: \(reason)\n\(usage)", status: 64)
  }
}

let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
let path = arguments.path

do {
  let store = IntrinsicsStore(try StoreRoots(given: arguments.store))

  let record: IntrinsicsRecord?
  if let size = arguments.size {
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
