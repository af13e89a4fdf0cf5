import CImageCodecs

/// libjpeg-turbo's decoder of one stream of frames.
final class MotionJPEGDecoder {
  /// Nil until the first frame: most cameras' frames are no JPEGs.
  private var decoder: OpaquePointer?

  init() {}

  deinit { cic_mjpeg_destroy(decoder) }

  /// Decodes a frame into `layout.height` rows, `bytesPerRow` apart, for which there must be room.
  func decode(
    _ frame: UnsafeBufferPointer<UInt8>, layout: FrameLayout, as output: cic_mjpeg_output,
    to destination: UnsafeMutablePointer<UInt8>, bytesPerRow: Int
  ) throws(ImagingError) {
    if decoder == nil { decoder = cic_mjpeg_create() }
    guard let decoder else {
      throw ImagingError(
        .outOfMemory, path: layout.name, message: "there is not enough memory for a JPEG decoder")
    }
    var status = CIC_OK
    let detail = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CIC_MESSAGE_SIZE)) {
      buffer -> String in
      guard let message = buffer.baseAddress else { return "" }
      status = cic_mjpeg_read(
        decoder, frame.baseAddress, frame.count, output, destination, bytesPerRow,
        UInt32(layout.width), UInt32(layout.height), message)
      return status == CIC_OK ? "" : String(cString: message)
    }
    if status != CIC_OK {
      throw Self.error(status, layout: layout, count: frame.count, detail: printable(detail))
    }
  }

  private static func error(
    _ status: cic_status, layout: FrameLayout, count: Int, detail: String
  ) -> ImagingError {
    let cure = "a better cable or USB port may help"
    switch status {
    case CIC_TRUNCATED:
      return ImagingError(
        .truncated, path: layout.name,
        message: "a JPEG with an end-of-image marker is expected; \(count) bytes were found that "
          + "end before, so it is not used; \(cure)")
    case CIC_OTHER_SIZE:
      return ImagingError(
        .corrupt, path: layout.name,
        message: "\(detail) instead of \(layout.width)x\(layout.height), so it is not used; "
          + "ask the camera for a size that it offers")
    case CIC_UNSUPPORTED:
      return ImagingError(
        .unsupportedFormat, path: layout.name,
        message: "is a kind of JPEG that is not decoded (\(detail)); choose another format")
    case CIC_NO_MEMORY:
      return ImagingError(
        .outOfMemory, path: layout.name, message: "there is not enough memory to decode it")
    default:
      return ImagingError(
        .corrupt, path: layout.name,
        message: "the JPEG is damaged\(detail.isEmpty ? "" : " (\(detail))"), so it is not used; "
          + cure)
    }
  }
}
