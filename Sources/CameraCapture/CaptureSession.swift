public import CalibrationStore
internal import CameraModel
public import Dispatch
internal import Locking

/// Takes frames from a camera and hands them to outputs, with the camera's intrinsics where that is
/// enabled.
///
/// A program can have several, each with a camera of its own. Usable from any thread. Letting go of the
/// last reference ends the frames.
public final class CaptureSession: Sendable {
  private struct State: Sendable {
    var preset = Preset.high
    var store: IntrinsicsStore?
    var input: CaptureDeviceInput?
    var outputs: [CaptureVideoDataOutput] = []
    var resumesAfterReplug = false
    var secondsWithoutFrames = 5.0
    var run: CaptureRun?
  }

  private let state = Lock(State())
  /// Held by whoever starts or stops.
  private let operation = Lock(())
  private let board = NoticeBoard()

  /// Creates a session without a camera and without outputs.
  public init() {}

  deinit { state.withLock { $0.run }?.requestStop() }

  /// The size of the frames; `high` to begin with.
  ///
  /// `CaptureDevice.setActiveFormat` takes precedence.
  /// Takes effect when the session starts: whether the camera offers the size shows in
  /// `canSetSessionPreset` and then.
  public var sessionPreset: Preset {
    get { state.withLock { $0.preset } }
    set { state.withLock { $0.preset = newValue } }
  }

  /// Whether the session's camera offers a size; true as long as there is no camera.
  public func canSetSessionPreset(_ preset: Preset) -> Bool {
    guard let input = state.withLock({ $0.input }) else { return true }
    return (try? CapturePlan.choose(device: input.device, preset: preset, outputs: [])) != nil
  }

  /// Where intrinsics are looked for; nil, to begin with, for the usual folders (`StoreRoots`).
  public var intrinsicsStore: IntrinsicsStore? {
    get { state.withLock { $0.store } }
    set { state.withLock { $0.store = newValue } }
  }

  /// Whether the session waits for a camera that was unplugged, recognises it by its device id
  /// wherever it is plugged in, and goes on; false to begin with: then it ends with an error.
  public var resumesAfterReplug: Bool {
    get { state.withLock { $0.resumesAfterReplug } }
    set { state.withLock { $0.resumesAfterReplug = newValue } }
  }

  /// How long no frame may come before the session ends with the error `noFrames`; 5 s to begin
  /// with.
  ///
  /// Takes effect when the session starts.
  public var secondsWithoutFrames: Double {
    get { state.withLock { $0.secondsWithoutFrames } }
    set { state.withLock { $0.secondsWithoutFrames = min(max(newValue, 0.1), 3600) } }
  }

  /// The cameras: one or none.
  public var inputs: [CaptureDeviceInput] { state.withLock { $0.input.map { [$0] } ?? [] } }
  /// The outputs, in the order in which they joined.
  public var outputs: [CaptureVideoDataOutput] { state.withLock { $0.outputs } }

  /// Gives the session its camera.
  ///
  /// - Throws: `invalidConfiguration` where it has one already, `alreadyRunning` while it runs.
  public func addInput(_ input: CaptureDeviceInput) throws(CaptureError) {
    try requireStandstill("addInput")
    try state.withLock { state throws(CaptureError) in
      if let present = state.input {
        throw CaptureError(
          code: .invalidConfiguration, subject: "addInput",
          message:
            "the session has the camera \(present.device.path) already: make another session "
            + "for another camera, or call removeInput before")
      }
      state.input = input
    }
    connect()
  }

  /// Adds an output.
  ///
  /// Where the session has a camera, the output has a connection from then on.
  ///
  /// - Throws: `invalidConfiguration` where it belongs to a session already, `alreadyRunning` while the
  ///   session runs.
  public func addOutput(_ output: CaptureVideoDataOutput) throws(CaptureError) {
    try requireStandstill("addOutput")
    guard output.join(self) else {
      throw CaptureError(
        code: .invalidConfiguration, subject: "addOutput",
        message: "the output belongs to a session already: make another one")
    }
    state.withLock { $0.outputs.append(output) }
    connect()
  }

  /// Takes the camera from the session; connections end.
  ///
  /// Throws `alreadyRunning` while it runs.
  public func removeInput(_ input: CaptureDeviceInput) throws(CaptureError) {
    try requireStandstill("removeInput")
    let outputs = state.withLock { state in
      guard state.input === input else { return [CaptureVideoDataOutput]() }
      state.input = nil
      return state.outputs
    }
    for output in outputs { output.setConnection(nil) }
  }

  /// Takes an output from the session.
  ///
  /// Throws `alreadyRunning` while it runs.
  public func removeOutput(_ output: CaptureVideoDataOutput) throws(CaptureError) {
    try requireStandstill("removeOutput")
    let isOurs = state.withLock { state in
      let count = state.outputs.count
      state.outputs.removeAll { $0 === output }
      return state.outputs.count < count
    }
    if isOurs { output.leave() }
  }

  private func connect() {
    let (input, outputs) = state.withLock { ($0.input, $0.outputs) }
    guard let input else { return }
    for output in outputs where output.connections.isEmpty {
      output.setConnection(CaptureConnection(input: input, session: self))
    }
  }

  private func requireStandstill(_ what: String) throws(CaptureError) {
    guard !isRunning else {
      throw CaptureError(
        code: .alreadyRunning, subject: what,
        message: "not while the session runs: call stopRunning before")
    }
  }
}

extension CaptureSession {
  /// Starts the camera; returns when it runs.
  ///
  /// Does nothing where it runs already.
  ///
  /// Takes from milliseconds to a second: not for the main thread of an app with windows. (On iOS it
  /// does not throw, and what went wrong comes as a notification.)
  /// - Throws: `invalidConfiguration` without camera or output; `formatUnavailable`, which names what
  ///   the camera offers; `frameDurationUnavailable`; `busy`, `noPermission`, `noBandwidth`,
  ///   `unplugged`.
  public func startRunning() throws(CaptureError) {
    try operation.withLock { _ throws(CaptureError) in
      let now = state.withLock { $0 }
      guard now.run?.isRunning != true else { return }
      guard let input = now.input, !now.outputs.isEmpty else {
        let missing = now.input == nil ? "camera: call addInput" : "output: call addOutput"
        throw CaptureError(
          code: .invalidConfiguration, subject: "startRunning",
          message: "the session has no \(missing) before")
      }
      let plan = CapturePlan(
        device: input.device, preset: now.preset, outputs: now.outputs,
        store: Self.store(now.store), resumesAfterReplug: now.resumesAfterReplug,
        secondsWithoutFrames: now.secondsWithoutFrames)
      let run = try CaptureRun(plan, board: board)
      state.withLock { $0.run = run }
    }
  }

  /// Stops the camera; returns when it has.
  ///
  /// Frames that an app still holds stay readable.
  public func stopRunning() {
    operation.withLock { _ in state.withLock { $0.run }?.stop() }
  }

  /// Whether the camera runs, or is unplugged and waited for.
  public var isRunning: Bool { state.withLock { $0.run }?.isRunning ?? false }

  /// Whether the camera is unplugged and waited for.
  public var isInterrupted: Bool { state.withLock { $0.run }?.isInterrupted ?? false }

  /// The format that frames come in since the last start; nil before the first.
  public var activeFormat: CaptureDevice.Format? { state.withLock { $0.run }?.activeFormat }

  /// The error that the session ended with since its last start; nil where it runs or was stopped.
  public var runtimeError: CaptureError? { state.withLock { $0.run }?.endError }

  /// What the session has to tell, as a sequence that ends with the session's life.
  ///
  /// Each call gives another one; of notices that nobody reads the newest 64 are kept.
  public var notices: AsyncStream<CaptureNotice> { board.stream() }

  /// Says where notices go, beside `notices`; nil for nowhere.
  public func setNoticeHandler(
    queue: DispatchQueue, _ handler: (@Sendable (CaptureNotice) -> Void)?
  ) {
    board.setHandler(handler, queue: queue)
  }

  /// The calibration that is to be delivered from a camera, or why there is none.
  func calibration(
    of device: CaptureDevice, allowsPoor: Bool
  ) throws(CaptureError) -> IntrinsicsLookup.Answer {
    let (preset, outputs, given) = state.withLock { ($0.preset, $0.outputs, $0.store) }
    let choice = try CapturePlan.choose(device: device, preset: preset, outputs: outputs)
    return IntrinsicsLookup.answer(
      in: Self.store(given), device: device.uniqueID, resolution: choice.format.resolution,
      allowsPoor: allowsPoor)
  }

  /// Why intrinsics cannot be delivered from a camera; nil where they can.
  func deliveryObstacle(device: CaptureDevice, allowsPoor: Bool) -> String? {
    do {
      switch try calibration(of: device, allowsPoor: allowsPoor) {
      case .unavailable(let reason):
        return reason
      case .record(let record):
        return LensWatch(record: record.lensControls, controls: try device.controls).obstacle
      }
    } catch {
      return "\(error)"
    }
  }

  private static func store(_ given: IntrinsicsStore?) -> Result<IntrinsicsStore, StoreError> {
    if let given { return .success(given) }
    return Result { () throws(StoreError) in IntrinsicsStore(try StoreRoots()) }
  }
}
