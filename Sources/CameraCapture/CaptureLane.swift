internal import CalibrationStore
internal import CameraModel
internal import Imaging

/// One output's part in a run; used on the capture thread.
struct CaptureLane: Sendable {
  let output: CaptureVideoDataOutput
  private let pixels: PixelPlan
  /// What the output's frames carry as long as the lens stands as it stood when calibrated.
  private let attachment: IntrinsicsAttachment?
  /// Why there is no attachment though it was asked for.
  private(set) var absence: String?

  /// - Parameter record: What the store answered; nil where intrinsics are not asked for.
  init(
    output: CaptureVideoDataOutput, stream: any FrameStream, answer: IntrinsicsLookup.Answer?,
    origin: PixelOrigin
  ) {
    self.output = output
    let settings = output.videoSettings
    // Below four buffers a consumer that waits with its conversion would leave the driver none.
    pixels = PixelPlan(
      layout: stream.layout, settings: settings,
      copiesEarly: stream.overwritesLeases || stream.bufferCount < 4, converter: FrameConverter())
    switch answer {
    case .record(let record):
      attachment = IntrinsicsAttachment(
        record: record, settings: settings, origin: origin,
        lensControlsKnown: record.lensControls != nil)
      absence = nil
    case .unavailable(let reason):
      (attachment, absence) = (nil, reason)
    case nil:
      (attachment, absence) = (nil, nil)
    }
  }

  /// Whether frames carry intrinsics as long as the lens stands still.
  var hasAttachment: Bool { attachment != nil }

  /// Hands a frame on.
  ///
  /// - Parameter obstacle: Why no intrinsics can go with it.
  func deliver(_ lease: any FrameLease, obstacle: String?) {
    let isBare = obstacle != nil
    output.deliver(
      SampleBuffer(
        lease, plan: pixels, attachment: isBare ? nil : attachment,
        absence: attachment == nil ? absence : obstacle))
  }
}
