import CImageCodecs

extension FrameLayout {
  /// The frame in `bytes`, without what follows it; an error where it is not whole.
  ///
  /// Drivers hand out short frames without saying so (`uvcvideo` a JPEG without its end, for one), and
  /// buffers in which old bytes follow a JPEG's end. For JPEG the markers are followed to the
  /// end-of-image marker, without decoding; the data between them is not looked at.
  /// - Throws: `ImagingError` (`.truncated`, `.corrupt`).
  public func completeFrame(
    in bytes: UnsafeRawBufferPointer
  ) throws(ImagingError) -> UnsafeRawBufferPointer {
    try checkCount(of: bytes)
    guard format.isCompressed else {
      return UnsafeRawBufferPointer(rebasing: bytes.prefix(minimumByteCount))
    }
    let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    guard bytes[0] == 0xFF, bytes[1] == 0xD8 else {
      throw ImagingError(
        .corrupt, path: name, message: "does not begin as a JPEG does, so it is not used")
    }
    let length = cic_jpeg_length(start, bytes.count)
    guard length > 0 else {
      throw ImagingError(
        .truncated, path: name,
        message: "a JPEG with an end-of-image marker is expected; \(bytes.count) bytes were found "
          + "without one, so it is not used; a better cable or USB port may help")
    }
    return UnsafeRawBufferPointer(rebasing: bytes.prefix(length))
  }

  /// What errors call a frame.
  var name: String { "\(format) frame of \(width)x\(height)" }

  /// Refuses a frame that is shorter than any whole one.
  func checkCount(of frame: UnsafeRawBufferPointer) throws(ImagingError) {
    guard frame.count < minimumByteCount else { return }
    throw ImagingError(
      .truncated, path: name,
      message: "\(minimumByteCount) bytes are expected at least, \(frame.count) were found, so it "
        + "is not used; a better cable or USB port may help")
  }

  /// Refuses a destination that the pixels don't fit into.
  func check(
    _ count: Int, bytesPerRow: Int, bytesPerPixel: Int
  ) throws(ImagingError) {
    let rowBytes = width * bytesPerPixel
    guard bytesPerRow >= rowBytes else {
      throw ImagingError(
        .tooSmall, path: name,
        message: "rows of \(bytesPerRow) bytes were given for its pixels; they take \(rowBytes)")
    }
    let (rows, overflow) = bytesPerRow.multipliedReportingOverflow(by: height - 1)
    guard !overflow, rows <= count - rowBytes else {
      throw ImagingError(
        .tooSmall, path: name,
        message: "\(count) bytes were given for its pixels; \(height) rows of \(rowBytes) bytes, "
          + "\(bytesPerRow) bytes apart, are expected to fit")
    }
  }
}
