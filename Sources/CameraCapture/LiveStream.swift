internal import CalibrationStore
internal import CameraModel

/// A camera that runs, with what its frames are given; used on the capture thread.
struct LiveStream: Sendable {
  let stream: any FrameStream
  let format: CaptureDevice.Format
  private(set) var lanes: [CaptureLane]
  private var lens: LensWatch?
  /// Why no intrinsics go with frames now, though there are some; nil where they do.
  private(set) var obstacle: String?

  /// Opens, sets and starts the camera.
  static func start(
    _ plan: CapturePlan, format pinned: CaptureDevice.Format?
  ) throws(CaptureError) -> LiveStream {
    let node = try plan.device.node()
    var choice = try plan.choice()
    if let pinned, pinned.resolution != choice.format.resolution {
      choice = try FormatChoice.choose(
        among: plan.device.formats, resolution: pinned.resolution,
        minFrameDuration: plan.device.activeVideoMinFrameDuration, needsColor: false,
        subject: plan.device.path)
    }
    let watched = try node.controls().map(\.name).filter {
      LensWatch.controlNames.contains(LensWatch.canonical($0))
    }
    let stream = try node.startStream(
      StreamRequest(
        pixelFormat: choice.format.pixelFormat, resolution: choice.format.resolution,
        frameDuration: choice.frameDuration, bufferCount: CapturePlan.bufferCount,
        secondsWithoutFrames: plan.secondsWithoutFrames),
      watching: watched)
    do {
      try Self.check(stream.frameDuration, plan)
      return try LiveStream(plan, stream: stream, format: choice.format, node: node)
    } catch {
      stream.stop()
      throw error
    }
  }

  private init(
    _ plan: CapturePlan, stream: any FrameStream, format: CaptureDevice.Format,
    node: any CameraNode
  ) throws(CaptureError) {
    self.stream = stream
    self.format = format
    var record: IntrinsicsRecord?
    lanes = []
    for output in plan.outputs {
      var answer: IntrinsicsLookup.Answer?
      let connection = output.connections.first
      if let connection, connection.isCameraIntrinsicMatrixDeliveryEnabled {
        answer = IntrinsicsLookup.answer(
          in: plan.store, device: plan.device.uniqueID, resolution: format.resolution,
          allowsPoor: connection.allowsPoorCalibration)
        if case .record(let found) = answer { record = found }
      }
      lanes.append(
        CaptureLane(
          output: output, stream: stream, answer: answer,
          origin: connection?.intrinsicMatrixOrigin ?? .center))
    }
    guard let record else { return }
    // After the controls are watched, so that no change falls between.
    let lens = LensWatch(record: record.lensControls, controls: try node.controls())
    self.lens = lens
    obstacle = lens.obstacle ?? lens.movement
  }

  /// Makes sure that the driver does not send frames faster than was asked for.
  private static func check(
    _ duration: MediaTime?, _ plan: CapturePlan
  ) throws(CaptureError) {
    guard let duration, let minimum = plan.device.activeVideoMinFrameDuration else { return }
    // Drivers round: 1/30 s becomes 333333/10000000 s.
    guard duration.seconds < 0.99 * minimum.seconds else { return }
    throw CaptureError(
      code: .frameDurationUnavailable, subject: plan.device.path,
      message:
        "frames at least \(minimum) apart were asked for, and the camera set \(duration): ask "
        + "for what it offers (its formats say), and skip frames in the app")
  }

  /// Whether frames carry intrinsics, but for an obstacle.
  var hasAttachment: Bool { lanes.contains(where: \.hasAttachment) }

  /// Whether the frames' record does not say how the lens stood.
  var isLensUnknown: Bool { lens.map { !$0.isKnown } ?? false }

  /// Takes changes of controls; whether `obstacle` is another one now.
  mutating func take(_ changes: [ControlChange]) -> Bool {
    guard var lens else { return false }
    for change in changes { _ = lens.update(change.name, to: change.value) }
    self.lens = lens
    let now = lens.obstacle ?? lens.movement
    defer { obstacle = now }
    return now != obstacle
  }

  /// Whether every output can take one more frame.
  var hasRoom: Bool {
    // The driver needs two buffers to go on without a gap.
    let capacity = max(1, stream.bufferCount - 2)
    return lanes.allSatisfy { $0.output.hasRoom(capacity: capacity) }
  }

  /// Hands a frame to the outputs, or counts it where it cannot be used.
  func deliver(_ lease: any FrameLease, missedBefore: Int) {
    if missedBefore > 0 {
      for lane in lanes {
        lane.output.tell(DroppedFrames(reason: .outOfBuffers, count: missedBefore))
      }
    }
    switch lease.defect {
    case nil:
      for lane in lanes { lane.deliver(lease, obstacle: obstacle) }
    case .stale:
      // Nobody has missed it: it was taken before the session started.
      break
    case .damaged, .truncated:
      for lane in lanes { lane.output.tell(DroppedFrames(reason: .corrupt, count: 1)) }
    }
  }
}
