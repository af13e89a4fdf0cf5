package import CalibrationStore
package import CameraModel
package import Imaging

// What this module asks of a camera. `V4L2Cameras` asks drivers; tests play a script.

/// The cameras that are attached.
package protocol CameraProvider: Sendable {
  /// Those that frames can be taken from, in the order of their device files.
  func cameras() throws(CaptureError) -> [CameraListing]
  /// The camera behind a device file, or a link to one.
  func camera(at path: String) throws(CaptureError) -> CameraListing
  /// Opens a camera for settings and frames.
  func open(_ camera: CameraListing) throws(CaptureError) -> any CameraNode
}

/// A camera as it is found, without being opened for frames.
package struct CameraListing: Sendable, Hashable {
  /// The device file: different after the next replug.
  package var path: String
  /// What its calibrations are filed under.
  package var identity: IntrinsicsRecord.DeviceIdentity

  package init(path: String, identity: IntrinsicsRecord.DeviceIdentity) {
    self.path = path
    self.identity = identity
  }
}

/// An opened camera; closed when the last reference is gone.
package protocol CameraNode: AnyObject, Sendable {
  /// What it offers, in the driver's order.
  func formats() throws(CaptureError) -> [CaptureDevice.Format]
  /// Its controls by name, in the driver's order.
  func controls() throws(CaptureError) -> [CaptureDevice.Control]
  /// Sets a control; the value that the driver took.
  func setControl(_ name: String, to value: Int) throws(CaptureError) -> Int
  /// Asks the driver for a format, reads back what it set, and starts the frames.
  ///
  /// - Parameter watching: The controls whose changes come as events.
  /// - Throws: `formatUnavailable` where the driver chose another size or pixel format.
  func startStream(
    _ request: StreamRequest, watching: [String]
  ) throws(CaptureError) -> any FrameStream
}

/// The format and the buffers that a stream is asked for.
package struct StreamRequest: Sendable, Hashable {
  package var pixelFormat: NativePixelFormat
  package var resolution: Resolution
  /// The time from frame to frame to ask for; nil leaves it to the camera.
  package var frameDuration: MediaTime?
  /// How many of the driver's buffers to ask for.
  package var bufferCount: Int
  /// After how long without a frame `next` throws `noFrames`.
  package var secondsWithoutFrames: Double
}

/// Frames that are on their way; used from one thread but for `wake`.
package protocol FrameStream: AnyObject, Sendable {
  /// How the frames' bytes lie.
  var layout: FrameLayout { get }
  /// The time from frame to frame that the driver set; nil where it has none.
  var frameDuration: MediaTime? { get }
  /// How many buffers the driver gave, at least 1.
  var bufferCount: Int { get }
  /// Whether the driver writes into buffers that are leased (v4l2loopback does): frames must be copied
  /// soon.
  var overwritesLeases: Bool { get }
  /// Waits for the next thing to happen, at most so long. Where all buffers are leased, the wait is for
  /// one of them to come back.
  func next(timeoutMilliseconds: Int) throws(CaptureError) -> StreamEvent
  /// Waits without taking a frame, at most so long: for `wake`, changed controls, or the camera's end.
  func watch(timeoutMilliseconds: Int) throws(CaptureError) -> StreamEvent
  /// Ends the wait of `next` or `watch`, now or the next one; from any thread.
  func wake()
  /// Ends the frames. Those that are leased stay readable until they are given back.
  func stop()
}

/// What a stream has to tell.
package enum StreamEvent: Sendable {
  /// A frame, leased from the driver, and how many the driver counted between the last one and this.
  case frame(any FrameLease, missedBefore: Int)
  /// Watched controls have these values now.
  case controls([ControlChange])
  /// Nothing came in time, or `wake` was called.
  case nothing
}

/// A control's new value.
package struct ControlChange: Sendable, Hashable {
  package var name: String
  package var value: Int

  package init(name: String, value: Int) {
    self.name = name
    self.value = value
  }
}

/// A frame in the driver's memory, given back when the last reference is gone.
package protocol FrameLease: AnyObject, Sendable {
  /// The frame's bytes, valid as long as the lease.
  var bytes: UnsafeRawBufferPointer { get }
  /// The driver's number of the frame.
  var sequenceNumber: UInt32 { get }
  /// When the frame was taken, in nanoseconds of `clock`.
  var timestampNanoseconds: UInt64 { get }
  /// The clock of the time stamp.
  var clock: CaptureClock { get }
  /// The instant that the time stamp means.
  var timestampSource: TimestampSource { get }
  /// Why the frame must not be used, as far as the driver knows; nil where it may.
  var defect: FrameDefect? { get }
  /// Whether the driver has put a later frame into the same memory; to be asked after reading.
  var isOverwritten: Bool { get }
}

/// Why a frame must not be used.
package enum FrameDefect: String, Sendable, Hashable {
  /// The driver says that it is damaged.
  case damaged
  /// It has fewer bytes than its format needs.
  case truncated
  /// It was taken before the stream started.
  case stale
}

/// The clock that a frame's time stamp was read from.
public enum CaptureClock: String, Sendable, Hashable {
  /// CLOCK_MONOTONIC: the time since the machine started, without sleep.
  case monotonic
  /// The driver does not say.
  case unknown
}

/// The instant of a frame that its time stamp means.
public enum TimestampSource: String, Sendable, Hashable {
  /// When the last byte of the frame had come.
  case endOfFrame
  /// When the exposure began.
  case startOfExposure
}
