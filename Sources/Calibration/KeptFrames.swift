package import CalibrationStore
package import CameraModel
package import Frames
import Imaging

/// The frames that a live calibration kept, as a source: they go the same way as photographs.
package struct KeptFrames: FrameSource {
  package let identity: IntrinsicsRecord.DeviceIdentity
  package let resolution: Resolution
  package let pixelFormat: String?
  package let lensControls: [String: IntrinsicsRecord.LensControl]?
  package let notices: [String]
  package var setAside: [SetAside] { [] }
  package var expectedCount: Int? { frames.count }

  private let frames: [Frame]
  private var position = 0

  /// The frames of `source`, whose identity and controls they carry.
  init(_ frames: [Frame], of source: any FrameSource) {
    self.frames = frames
    identity = source.identity
    resolution = source.resolution
    pixelFormat = source.pixelFormat
    lensControls = source.lensControls
    notices = source.notices
  }

  /// The next frame; nil after the last.
  package mutating func next() -> Frame? {
    guard position < frames.count else { return nil }
    defer { position += 1 }
    return frames[position]
  }

  /// The name of the view of that number, from 1: its file's name under `--keep-frames`.
  package static func fileName(ofView number: Int) -> String {
    let digits = String(number)
    return "view-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits + ".png"
  }
}
