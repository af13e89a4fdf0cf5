internal import CalibrationStore
internal import CameraModel
internal import Imaging

/// What a session was told when it was started.
struct CapturePlan: Sendable {
  var device: CaptureDevice
  var preset: CaptureSession.Preset
  var outputs: [CaptureVideoDataOutput]
  var store: Result<IntrinsicsStore, StoreError>
  var resumesAfterReplug: Bool
  var secondsWithoutFrames: Double

  /// How many buffers the driver is asked for: two for it to fill while an app has the others.
  ///
  /// More add delay where frames are queued.
  static let bufferCount = 6

  /// The format in which frames are to be taken.
  func choice() throws(CaptureError) -> FormatChoice.Result {
    try Self.choose(device: device, preset: preset, outputs: outputs)
  }

  static func choose(
    device: CaptureDevice, preset: CaptureSession.Preset, outputs: [CaptureVideoDataOutput]
  ) throws(CaptureError) -> FormatChoice.Result {
    let fixed = device.activeFormat
    let settings = outputs.map(\.videoSettings)
    let candidates = if let fixed { [fixed] } else { try device.formats }
    let result = try FormatChoice.choose(
      among: candidates,
      resolution: fixed?.resolution ?? preset.resolution,
      minFrameDuration: device.activeVideoMinFrameDuration,
      needsColor: settings.contains { $0.pixelFormat == .bgra32 } || settings.isEmpty,
      subject: device.path)
    for settings in settings { try settings.check(against: result.format.resolution) }
    return result
  }
}
