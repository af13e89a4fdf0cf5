internal import CameraModel
public import Imaging
internal import Locking

/// A frame's pixels.
///
/// They lie in the driver's memory until they are first asked for; then they are turned into the
/// output's pixel format, on the thread that asks, and the driver has its memory back. A frame that
/// nobody looks at costs no conversion. Usable from any thread.
public final class PixelBuffer: Sendable {
  private enum Storage: Sendable {
    case leased(any FrameLease)
    case converted(PixelMemory)
    case copied([UInt8])
    case invalidated
  }

  private let plan: PixelPlan
  private let storage: Lock<Storage>

  init(_ lease: any FrameLease, plan: PixelPlan) {
    self.plan = plan
    storage = Lock(.leased(lease))
  }

  /// The number of columns.
  public var width: Int { plan.resolution.width }
  /// The number of rows.
  public var height: Int { plan.resolution.height }
  /// Bytes from one row to the next; of the first plane where there are several; 0 for compressed
  /// frames.
  public var bytesPerRow: Int { plan.bytesPerRow }
  /// The pixels' format as the output's settings ask for it.
  public var pixelFormat: VideoSettings.PixelFormat { plan.settings.pixelFormat }
  /// How the camera sends its pixels, and what `native` bytes are.
  public var nativeLayout: FrameLayout { plan.layout }

  /// Calls `body` with the pixels: `height` rows, `bytesPerRow` apart; in the format `native` the
  /// camera's bytes without what a driver may leave behind them.
  ///
  /// The bytes are valid during the call only.
  /// - Throws: `corruptFrame` where the camera's bytes are no whole picture, `invalidated` after
  ///   `SampleBuffer.invalidate()`, and what `body` throws.
  public func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    switch try content() {
    case .leased(let lease):
      return try withExtendedLifetime(lease) {
        try body(try plan.layout.completeFrame(in: lease.bytes))
      }
    case .converted(let memory):
      return try withExtendedLifetime(memory) { try body(UnsafeRawBufferPointer(memory.bytes)) }
    case .copied(let bytes):
      return try bytes.withUnsafeBytes(body)
    case .invalidated:
      throw Self.invalidatedError
    }
  }

  /// Makes sure that the frame is whole, and converts it where that cannot wait.
  func prepare() throws(CaptureError) {
    try storage.withLock { storage throws(CaptureError) in
      guard case .leased(let lease) = storage else { return }
      if plan.copiesEarly {
        storage = try owned(lease)
      } else {
        try plan.check(lease.bytes)
      }
    }
  }

  /// The pixels, converted where they are to be.
  private func content() throws(CaptureError) -> Storage {
    try storage.withLock { storage throws(CaptureError) in
      if case .leased(let lease) = storage, plan.settings.pixelFormat != .native {
        storage = try owned(lease)
      }
      return storage
    }
  }

  /// A frame's pixels in memory of ours.
  private func owned(_ lease: any FrameLease) throws(CaptureError) -> Storage {
    let result: Storage
    if plan.settings.pixelFormat == .native {
      result = .copied(try plan.copy(of: lease.bytes))
    } else if plan.settings.keepsGeometry {
      result = .converted(try plan.pixels(of: lease.bytes))
    } else {
      result = .copied(try plan.changedPixels(of: lease.bytes))
    }
    guard !lease.isOverwritten else {
      throw CaptureError(
        code: .corruptFrame, subject: "frame \(lease.sequenceNumber)",
        message: "the driver wrote a later frame into its memory before it was read; take frames "
          + "sooner, or fewer of them")
    }
    return result
  }

  private static let invalidatedError = CaptureError(
    code: .invalidated, subject: "pixel buffer",
    message: "the frame was given back by invalidate(); read its pixels before")

  /// Gives the driver its memory back, once those who read it now are done.
  func invalidate() { storage.withLock { $0 = .invalidated } }
}

extension PixelBuffer {
  /// The pixels as a grey image of their own.
  ///
  /// - Throws: `invalidConfiguration` where the output delivers other pixels, and the errors of
  ///   `withUnsafeBytes`.
  public func grayImage() throws -> GrayImage {
    try require(.gray8)
    return try withUnsafeBytes {
      try GrayImage(copying: $0, width: width, height: height, bytesPerRow: bytesPerRow)
    }
  }

  /// The pixels as a BGRA image of their own.
  ///
  /// - Throws: `invalidConfiguration` where the output delivers other pixels, and the errors of
  ///   `withUnsafeBytes`.
  public func bgraImage() throws -> BGRAImage {
    try require(.bgra32)
    return try withUnsafeBytes {
      try BGRAImage(copying: $0, width: width, height: height, bytesPerRow: bytesPerRow)
    }
  }

  private func require(_ format: VideoSettings.PixelFormat) throws(CaptureError) {
    guard pixelFormat != format else { return }
    throw CaptureError(
      code: .invalidConfiguration, subject: "pixel buffer",
      message:
        "it holds \(pixelFormat.rawValue) pixels; set the output's videoSettings.pixelFormat to "
        + "\(format.rawValue)")
  }
}
