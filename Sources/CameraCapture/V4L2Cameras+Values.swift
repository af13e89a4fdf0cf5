internal import CameraModel
internal import Imaging
internal import V4L2

// Values of the module V4L2 as this module's.

extension CaptureDevice.Format {
  init(_ pixelFormat: NativePixelFormat, _ size: OfferedSize) {
    self.init(
      pixelFormat: pixelFormat, resolution: size.maximum,
      frameDurations: size.intervals.compactMap(MediaTime.init),
      isFrameDurationContinuous: size.isIntervalRange)
    minimumResolution = size.minimum
    resolutionStep = size.step
  }
}

extension MediaTime {
  /// Nil where the fraction is no time, or beyond what a `MediaTime` holds.
  init?(_ interval: FrameInterval) {
    guard let timescale = Int32(exactly: interval.denominator), timescale > 0,
      interval.numerator > 0
    else { return nil }
    self.init(value: Int64(interval.numerator), timescale: timescale)
  }
}

extension FrameInterval {
  /// Nil where the time is none that a driver can be asked for.
  init?(_ time: MediaTime) {
    guard let numerator = UInt32(exactly: time.value), numerator > 0 else { return nil }
    self.init(numerator: numerator, denominator: UInt32(time.timescale))
  }
}

extension CaptureError {
  init(_ error: V4L2Error) {
    let codes: [V4L2Error.Code: Code] = [
      .missing: .noCamera, .notAVideoDevice: .notACamera, .notACamera: .notACamera,
      .metadataNode: .notACamera, .unsupportedDevice: .notACamera, .needsLibcamera: .notACamera,
      .noPermission: .noPermission,
      .busy: .busy, .noBandwidth: .noBandwidth, .unplugged: .unplugged, .noFrames: .noFrames,
      .sourceChanged: .sourceChanged, .formatUnavailable: .formatUnavailable,
      .controlUnknown: .controlUnavailable,
      .controlRefused: .controlUnavailable,
    ]
    self.init(code: codes[error.code] ?? .system, subject: error.subject, message: error.message)
  }
}
