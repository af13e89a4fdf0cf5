// Frames with the intrinsics of the camera that took them, as an app on iOS gets them.
//
// Needs the library product CameraIntrinsics and nothing else. Calibrate the camera before, at the size
// that is to be used: calibrate --board 9x6 --size 1920x1080 /dev/video0

import CameraIntrinsics
import Dispatch
import Glibc

let options: Options
do throws(Options.Mistake) {
  guard let given = try Options(CommandLine.arguments.dropFirst()) else {
    show(Options.usage)
    exit(status: 0)
  }
  options = given
} catch {
  say("\(error.reason)\n\(Options.usage)")
  exit(status: 64)
}

let capture: Capture
let pictures: PictureFolder
do {
  capture = try Capture(options)
  let session = capture.captureSession
  pictures = try PictureFolder(options) {
    session.stopRunning()
    exit(status: 0)
  }
  capture.delegate = pictures
} catch {
  say("\(error)")
  exit(error)
}

// Ctrl-C stops the camera before the program ends.
signal(SIGINT, SIG_IGN)
let interruption = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
interruption.setEventHandler {
  capture.captureSession.stopRunning()
  exit(status: 130)
}
interruption.resume()
dispatchMain()
