import CImageCodecs

/// One call into the C codecs, whose status and message become an `ImagingError`.
enum CodecCall {
  /// Runs `body`, which is to put its words into the buffer it is lent (`CIC_MESSAGE_SIZE` bytes).
  ///
  /// - Returns: nil on success.
  static func failure(
    of format: ImageFormat, path: String, _ body: (UnsafeMutablePointer<CChar>) -> cic_status
  ) -> ImagingError? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CIC_MESSAGE_SIZE)) { buffer in
      guard let message = buffer.baseAddress else { return nil }
      message[0] = 0
      let status = body(message)
      guard status != CIC_OK else { return nil }
      return error(status, format: format, path: path, detail: String(cString: message))
    }
  }

  private static func error(
    _ status: cic_status, format: ImageFormat, path: String, detail: String
  ) -> ImagingError {
    switch status {
    case CIC_TRUNCATED:
      ImagingError(
        .truncated, path: path,
        message: "the \(format) is truncated, so it is not used; copy it again from the camera")
    case CIC_UNSUPPORTED:
      ImagingError(
        .unsupportedFormat, path: path,
        message: "is a kind of \(format) that is not decoded (\(detail)); convert it to PNG")
    case CIC_STOPPED:
      ImagingError(.cancelled, path: path, message: "decoding was given up")
    case CIC_NO_MEMORY:
      ImagingError(
        .outOfMemory, path: path,
        message: "there is not enough memory to decode the \(format)\(suffix(detail))")
    default:
      ImagingError(
        .corrupt, path: path,
        message: "the \(format) is damaged\(suffix(detail)), so it is not used; "
          + "copy it again from the camera")
    }
  }

  private static func suffix(_ detail: String) -> String {
    detail.isEmpty ? "" : " (\(printable(detail)))"
  }

  /// Decodes into a fresh array of `count` values.
  static func decode<Sample>(
    count: Int, format: ImageFormat, path: String,
    _ body: (UnsafeMutablePointer<Sample>, UnsafeMutablePointer<CChar>) -> cic_status
  ) throws(ImagingError) -> [Sample] {
    var failure: ImagingError?
    let samples = [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      failure = Self.failure(of: format, path: path) { body(base, $0) }
      if failure == nil { initialized = count }
    }
    if let failure { throw failure }
    return samples
  }
}
