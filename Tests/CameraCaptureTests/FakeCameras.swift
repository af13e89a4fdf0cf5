import CalibrationStore
import CameraCapture
import CameraModel
import FakeV4L2
import Foundation
import Locking

/// Cameras that are played, by their device files; any of them can be moved while others look.
final class FakeCameras: CameraProvider {
  let system = FakeSystem()
  private let listings = Lock<[CameraListing]>([])

  /// Plugs a camera in.
  func attach(_ camera: FakeCamera, at path: String, id: String = "usb:1234:5678:A") {
    system.attach(camera, at: path)
    let identity = IntrinsicsRecord.DeviceIdentity(
      id: DeviceID(rawValue: id), name: "Fake Camera", identifiedBy: "serial number")
    listings.withLock { $0.append(CameraListing(path: path, identity: identity)) }
  }

  /// Unplugs it.
  func detach(_ path: String) {
    system.attach(nil, at: path)
    listings.withLock { $0.removeAll { $0.path == path } }
  }

  func cameras() throws(CaptureError) -> [CameraListing] { listings.withLock { $0 } }

  func camera(at path: String) throws(CaptureError) -> CameraListing {
    guard let listing = listings.withLock({ $0.first { $0.path == path } }) else {
      throw CaptureError(code: .noCamera, subject: path, message: "no such camera")
    }
    return listing
  }

  func open(_ camera: CameraListing) throws(CaptureError) -> any CameraNode {
    try V4L2Cameras(calls: system.calls).open(camera)
  }
}

/// A session with a camera that is played and one output.
struct Rig {
  let cameras = FakeCameras()
  let camera: FakeCamera
  let session = CaptureSession()
  let output = CaptureVideoDataOutput()
  let device: CaptureDevice

  init(
    _ description: FakeDescription = FakeDescription(), pace: FakeCamera.Pace = .immediate,
    painter: FakeCamera.Painter? = nil, preset: CaptureSession.Preset = .vga640x480
  ) throws {
    camera =
      painter.map { FakeCamera(description, pace: pace, painter: $0) }
      ?? FakeCamera(description, pace: pace)
    cameras.attach(camera, at: "/dev/video0")
    device = try CaptureDevice.default(for: .video, among: cameras)
    session.sessionPreset = preset
    session.intrinsicsStore = IntrinsicsStore(root: "/nonexistent")
    // Tests share two threads: what makes the frames may be away for seconds.
    session.secondsWithoutFrames = 120
    try session.addInput(CaptureDeviceInput(device: device))
    try session.addOutput(output)
  }
}

extension Rig {
  /// Makes frames until a consumer, which may not have begun, has taken one; false where none does so
  /// within a minute.
  func deliversUntilTaken() async -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while output.statistics.delivered == 0 {
      guard ContinuousClock.now < deadline else { return false }
      camera.deliver()
      await Task.yield()
    }
    return true
  }
}

/// Keeps what a delegate is told.
final class Collector: CaptureVideoDataOutputSampleBufferDelegate, Sendable {
  struct Log: Sendable {
    var numbers: [UInt32] = []
    var last: SampleBuffer?
    var dropped: [DroppedFrames.Reason: Int] = [:]
  }

  private let log = WaitableLock(Log())
  private let keepsLast: Bool
  private let onFrame: @Sendable (SampleBuffer) -> Void

  init(keepsLast: Bool = false, onFrame: @escaping @Sendable (SampleBuffer) -> Void = { _ in }) {
    self.keepsLast = keepsLast
    self.onFrame = onFrame
  }

  func captureOutput(
    _ output: CaptureOutput, didOutput sampleBuffer: SampleBuffer,
    from connection: CaptureConnection
  ) {
    onFrame(sampleBuffer)
    log.change { log in
      log.numbers.append(sampleBuffer.sequenceNumber)
      if keepsLast { log.last = sampleBuffer }
    }
  }

  func captureOutput(
    _ output: CaptureOutput, didDrop frames: DroppedFrames, from connection: CaptureConnection
  ) {
    log.change { $0.dropped[frames.reason, default: 0] += frames.count }
  }

  var numbers: [UInt32] { log.withLock { $0.numbers } }
  var dropped: [DroppedFrames.Reason: Int] { log.withLock { $0.dropped } }
  var last: SampleBuffer? { log.withLock { $0.last } }

  /// Waits for frames; whether they came within thirty seconds.
  func waits(forFrames count: Int) -> Bool {
    log.wait(milliseconds: 30_000) { $0.numbers.count >= count ? true : nil } ?? false
  }

  func waits(forDropped count: Int, _ reason: DroppedFrames.Reason) -> Bool {
    log.wait(milliseconds: 30_000) { $0.dropped[reason] ?? 0 >= count ? true : nil } ?? false
  }

  /// Forgets the frame that it keeps.
  func forget() { log.withLock { $0.last = nil } }
}

/// Keeps the notices of a session.
final class Notices: Sendable {
  private let log = WaitableLock<[CaptureNotice]>([])

  init(_ session: CaptureSession) {
    let log = log
    session.setNoticeHandler(queue: DispatchQueue(label: "notices")) { notice in
      log.change { $0.append(notice) }
    }
  }

  var all: [CaptureNotice] { log.withLock { $0 } }

  /// Waits for the how-manieth notice of a kind; nil where it does not come within thirty seconds.
  func waits(for kind: CaptureNotice.Kind, _ number: Int = 1) -> CaptureNotice? {
    log.wait(milliseconds: 30_000) { notices in
      let fitting = notices.filter { $0.kind == kind }
      return fitting.count >= number ? fitting[number - 1] : nil
    }
  }
}

/// Something that opens once.
final class Gate: Sendable {
  private let state = WaitableLock(false)
  func open() { state.change { $0 = true } }
  /// Whether it opened within thirty seconds.
  @discardableResult
  func waits() -> Bool { state.wait(milliseconds: 30_000) { $0 ? true : nil } ?? false }
  /// The same for asynchronous tests: one that blocked one of the few threads that tasks run on could
  /// keep the very task from running that opens the gate.
  func opens() async -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while !state.withLock({ $0 }), ContinuousClock.now < deadline { await Task.yield() }
    return state.withLock { $0 }
  }
}

/// Looks again and again whether something has become true, at most for two minutes.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(120)
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    usleep(2000)
  }
  return try condition()
}

extension CaptureError {
  /// What a body throws; nil where it throws nothing of this type.
  static func thrown(by body: () throws -> Void) -> CaptureError? {
    do { try body() } catch { return error as? CaptureError }
    return nil
  }
}
