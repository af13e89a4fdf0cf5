import CImageCodecs
import CPixelKernels
import Locking

/// Turns a camera's frames into grey or BGRA, in memory of the caller's.
///
/// Grey is what the camera stored as luma: the Y of YCbCr formats and of JPEG, unchanged (16…235 where
/// the range is limited); the high byte of Y16; Rec. 601 luma of RGB. BGRA is by Rec. BT.601, or
/// by BT.709 where the layout says so, with alpha 255; colour that is stored once for two pixels is given
/// to both.
///
/// A frame that is not whole is an error and nothing of it should be used: the destination may hold a
/// part. A converter keeps what JPEG decoding has in common from frame to frame. It may be used from
/// several threads, which then wait for one another in JPEGs only; one converter a camera is right.
public final class FrameConverter: Sendable {
  private let decoder = Lock(MotionJPEGDecoder())

  /// Creates a converter.
  public init() {}

  /// Writes a frame as 8-bit grey.
  ///
  /// - Parameters:
  ///   - frame: The frame's bytes as captured; bytes after its end are ignored.
  ///   - destination: Receives `height` rows of `width` bytes.
  ///   - bytesPerRow: Bytes from one row of the destination to the next, at least `width`.
  /// - Throws: `ImagingError`: `.truncated` when bytes are missing (saying how many), `.corrupt` for a
  ///   damaged JPEG or one of another size, `.tooSmall` for a destination that is too small.
  public func writeGray8(
    of frame: UnsafeRawBufferPointer, layout: FrameLayout,
    to destination: UnsafeMutableRawBufferPointer, bytesPerRow: Int
  ) throws(ImagingError) {
    try layout.check(destination.count, bytesPerRow: bytesPerRow, bytesPerPixel: 1)
    try convert(
      frame, layout, to: destination, bytesPerRow: bytesPerRow, jpeg: CIC_GRAY, raw: grayFromRaw)
  }

  /// Writes a frame as 32-bit BGRA: bytes blue, green, red, 255 of each pixel.
  ///
  /// - Parameters:
  ///   - frame: The frame's bytes as captured; bytes after its end are ignored.
  ///   - destination: Receives `height` rows of `4 * width` bytes.
  ///   - bytesPerRow: Bytes from one row of the destination to the next, at least `4 * width`.
  /// - Throws: `ImagingError` as `writeGray8`.
  public func writeBGRA(
    of frame: UnsafeRawBufferPointer, layout: FrameLayout,
    to destination: UnsafeMutableRawBufferPointer, bytesPerRow: Int
  ) throws(ImagingError) {
    try layout.check(destination.count, bytesPerRow: bytesPerRow, bytesPerPixel: 4)
    try convert(
      frame, layout, to: destination, bytesPerRow: bytesPerRow, jpeg: CIC_BGRA, raw: bgraFromRaw)
  }

  /// Writes all 16 bits of a Y16 frame, little-endian as the camera sends them, row by row.
  ///
  /// - Parameters:
  ///   - destination: Receives `height` rows of `2 * width` bytes.
  ///   - bytesPerRow: Bytes from one row of the destination to the next, at least `2 * width`.
  /// - Throws: `ImagingError` as `writeGray8`; `.unsupportedFormat` for another format than Y16.
  public func writeGray16(
    of frame: UnsafeRawBufferPointer, layout: FrameLayout,
    to destination: UnsafeMutableRawBufferPointer, bytesPerRow: Int
  ) throws(ImagingError) {
    guard layout.format == .y16 else {
      throw ImagingError(
        .unsupportedFormat, path: layout.name,
        message: "only Y16 holds 16 bits a pixel; ask for 8-bit grey")
    }
    try layout.check(destination.count, bytesPerRow: bytesPerRow, bytesPerPixel: 2)
    try layout.checkCount(of: frame)
    guard let from = frame.bytes, let to = destination.bytes else { return }
    cpk_copy(
      from, layout.bytesPerRow, to, bytesPerRow, UInt32(2 * layout.width), UInt32(layout.height))
  }

  private func convert(
    _ frame: UnsafeRawBufferPointer, _ layout: FrameLayout,
    to destination: UnsafeMutableRawBufferPointer, bytesPerRow: Int, jpeg: cic_mjpeg_output,
    raw: (UnsafePointer<UInt8>, FrameLayout, UnsafeMutablePointer<UInt8>, Int) -> Void
  ) throws(ImagingError) {
    // Only up to the end of the frame: on damaged data libjpeg-turbo's answer can depend on what
    // follows, as it decodes faster where many bytes are left.
    let whole = try layout.completeFrame(in: frame)
    guard let from = whole.bytes, let to = destination.bytes else { return }
    guard layout.format.isCompressed else { return raw(from, layout, to, bytesPerRow) }
    try decoder.withLock { (decoder) throws(ImagingError) in
      try decoder.decode(
        UnsafeBufferPointer(start: from, count: whole.count), layout: layout, as: jpeg, to: to,
        bytesPerRow: bytesPerRow)
    }
  }
}

extension FrameConverter {
  /// A frame as a new grey image.
  public func grayImage(
    of frame: UnsafeRawBufferPointer, layout: FrameLayout
  ) throws(ImagingError) -> GrayImage {
    GrayImage(
      width: layout.width, height: layout.height,
      pixels: try pixels(layout.width * layout.height) { (buffer) throws(ImagingError) in
        try writeGray8(of: frame, layout: layout, to: buffer, bytesPerRow: layout.width)
      })
  }

  /// A frame as a new BGRA image.
  public func bgraImage(
    of frame: UnsafeRawBufferPointer, layout: FrameLayout
  ) throws(ImagingError) -> BGRAImage {
    BGRAImage(
      width: layout.width, height: layout.height,
      pixels: try pixels(4 * layout.width * layout.height) { (buffer) throws(ImagingError) in
        try writeBGRA(of: frame, layout: layout, to: buffer, bytesPerRow: 4 * layout.width)
      })
  }

  private func pixels(
    _ count: Int, _ write: (UnsafeMutableRawBufferPointer) throws(ImagingError) -> Void
  ) throws(ImagingError) -> [UInt8] {
    var failure: ImagingError?
    let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(ImagingError) {
        try write(UnsafeMutableRawBufferPointer(buffer))
        initialized = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return pixels
  }
}

extension UnsafeRawBufferPointer {
  /// The start as bytes; nil for an empty buffer without memory.
  fileprivate var bytes: UnsafePointer<UInt8>? { assumingMemoryBound(to: UInt8.self).baseAddress }
}

extension UnsafeMutableRawBufferPointer {
  /// The start as bytes; nil for an empty buffer without memory.
  fileprivate var bytes: UnsafeMutablePointer<UInt8>? {
    assumingMemoryBound(to: UInt8.self).baseAddress
  }
}
