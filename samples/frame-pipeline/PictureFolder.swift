import CameraIntrinsics
import FoundationEssentials

/// Writes pictures into a folder, as an app would show them on its screen.
final class PictureFolder: CaptureDelegate {
  private let options: Options
  private let whenDone: () -> Void
  private var count = 0

  init(_ options: Options, whenDone: @escaping () -> Void) throws {
    self.options = options
    self.whenDone = whenDone
    try FileManager.default.createDirectory(
      atPath: options.folder, withIntermediateDirectories: true)
  }

  func capture(image: BGRAImage, number: UInt32, camera: CameraParameters?) {
    if let most = options.frames, count >= most { return }
    let digits = String(number)
    let padding = String(repeating: "0", count: max(0, 6 - digits.count))
    let path = "\(options.folder)/frame\(padding)\(digits).\(options.format)"
    do {
      if options.format == "png" {
        try image.writePNG(toFileAt: path)
      } else {
        try image.writeJPEG(toFileAt: path)
      }
    } catch {
      say("\(error)")
      exit(status: 73)
    }
    if let camera, !options.printsBytes {
      show("\(path), turned right: \(camera.intrinsics.matrix())")
    }
    count += 1
    if count == options.frames { whenDone() }
  }
}
