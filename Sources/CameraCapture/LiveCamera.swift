package import CalibrationStore
package import CameraModel
package import Frames
package import Imaging
internal import Locking
package import V4L2

/// A V4L2 camera as a source of grey frames, for measuring it.
///
/// Used from one thread, but for `Handle`. Frames in formats without compression are turned grey as they
/// come, so that the driver has its buffer back at once; of compressed ones the bytes are copied and
/// decoded only if somebody looks at them.
package final class LiveCamera: FrameSource {
  /// How a camera is set up.
  package struct Options: Sendable {
    /// The size; nil for the largest that still comes fast enough.
    package var resolution: Resolution?
    /// The pixel format; nil for the one that costs least without loss.
    package var pixelFormat: NativePixelFormat?
    /// Frames a second; nil for about 30.
    package var framesPerSecond: Double?
    /// Whether exposure is held, too.
    package var locksExposure = false
    /// Whether an autofocus that is on stays on until `Handle.holdFocus`.
    package var letsFocusSettle = false
    /// After so many seconds without a frame there is an error.
    package var secondsWithoutFrames = 10.0

    /// Creates the defaults.
    package init() {}
  }

  /// What may be done with a camera from any thread, while another takes its frames.
  package final class Handle: Sendable {
    private let stream: VideoStream
    private let lens: LensHold
    private let ended = Lock(false)

    init(_ stream: VideoStream, _ lens: LensHold) {
      self.stream = stream
      self.lens = lens
    }

    /// Ends the frames: a wait for the next one returns at once.
    package func end() {
      ended.withLock { $0 = true }
      stream.wake()
    }

    /// Stops the camera and puts its controls back where they were; a second time does nothing.
    ///
    /// - Returns: What could not be put back, for people.
    @discardableResult
    package func close() -> [String] {
      end()
      stream.stop()
      return lens.restore()
    }

    /// Whether autofocus is on, until `holdFocus`.
    package var isFocusSettling: Bool { lens.isFocusSettling }

    /// Holds the focus where it stands now, where it was let settle.
    ///
    /// - Returns: What the user should know.
    /// - Throws: `V4L2Error`: unplugged, hardware.
    package func holdFocus() throws -> [String] { try lens.holdFocus() }

    /// Whether `end` was called.
    var hasEnded: Bool { ended.withLock { $0 } }
  }

  package let identity: IntrinsicsRecord.DeviceIdentity
  package var resolution: Resolution { stream.format.resolution }
  package var pixelFormat: String? { "\(stream.format.pixelFormat)" }
  /// The controls that change the lens or its picture, and whether they were held all the time.
  package var lensControls: [String: IntrinsicsRecord.LensControl]? { lens.controls }
  package var notices: [String] { lens.notices }
  package var setAside: [SetAside] { [] }
  package var expectedCount: Int? { nil }

  /// What was set, for people: `MJPG 1920x1080 at 30 fps`.
  package var modeDescription: String { "\(stream.format)" }
  /// For other threads.
  package let handle: Handle

  private let stream: VideoStream
  private let layout: FrameLayout
  private let converter = FrameConverter()
  private let lens: LensHold
  private var position = -1

  /// Opens a camera, holds its lens where it is, and starts it.
  ///
  /// - Throws: `V4L2Error`; `formatUnavailable` names what it offers. `ImagingError` for a driver whose
  ///   rows are too short for their pixels.
  package init(
    path: String, identity: IntrinsicsRecord.DeviceIdentity, options: Options = Options(),
    calls: V4L2Calls = .system
  ) throws {
    let node = try VideoNode(path: path, calls: calls)
    let mode = try LiveMode(among: node.offeredFormats(), options: options, subject: path)
    let format = try node.negotiate(
      pixelFormat: mode.pixelFormat, resolution: mode.resolution, frameInterval: mode.frameInterval)
    layout = try FrameLayout(
      format: format.pixelFormat, resolution: format.resolution, bytesPerRow: format.bytesPerRow)
    self.identity = identity
    lens = try LensHold(
      node, locksExposure: options.locksExposure, letsFocusSettle: options.letsFocusSettle)
    stream = try VideoStream(
      node, format: format, bufferCount: Self.bufferCount,
      noFramesAfterMilliseconds: Int(options.secondsWithoutFrames * 1000))
    handle = Handle(stream, lens)
  }

  /// Enough that no frame is lost while one is copied, few enough for small boards.
  private static let bufferCount = 4
  /// How long one wait for a frame takes at the most, milliseconds.
  private static let patience = 200

  /// The next frame; nil after `Handle.end`.
  ///
  /// Damaged frames are given, too, with the error in place of the picture, so that whoever looks can
  /// count them and knows that they are no neighbours of others.
  ///
  /// - Throws: `V4L2Error`: unplugged, no frames, hardware.
  package func next() throws -> Frame? {
    while !handle.hasEnded {
      guard let frame = try stream.dequeue(timeoutMilliseconds: Self.patience) else {
        lens.take(stream.takeControlEvents())
        continue
      }
      defer { frame.buffer.release() }
      // Taken before the stream started; nobody missed it.
      if frame.buffer.details.isStale { continue }
      position += 1 + (position < 0 ? 0 : frame.missedBefore)
      return self.frame(frame.buffer, number: position)
    }
    return nil
  }

  private func frame(_ buffer: LeasedBuffer, number: Int) -> Frame {
    let name = "frame \(number)"
    func damaged(_ reason: String) -> Frame {
      let error = FramesError(.unreadable, source: name, message: reason)
      return Frame(name: name, index: number) { throw error }
    }
    if buffer.isCorrupt { return damaged("the driver says that it is damaged") }
    if buffer.details.isTruncated { return damaged("it arrived without all of its bytes") }
    do {
      guard layout.format.isCompressed else {
        let image = try converter.grayImage(of: buffer.bytes, layout: layout)
        guard !buffer.isOverwritten else { return damaged("it was overwritten while it was read") }
        return Frame(name: name, index: number, image: image)
      }
      let bytes = [UInt8](buffer.bytes)
      guard !buffer.isOverwritten else { return damaged("it was overwritten while it was read") }
      let (converter, layout) = (converter, layout)
      return Frame(name: name, index: number) {
        try bytes.withUnsafeBytes { try converter.grayImage(of: $0, layout: layout) }
      }
    } catch {
      return damaged("\(error)")
    }
  }

  deinit { handle.close() }
}
