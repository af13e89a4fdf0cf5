import CImageCodecs

/// Encoding through the C codecs.
enum ImageEncoding {
  /// PNG bytes of rows of `channels` bytes a pixel.
  static func png(
    _ pixels: [UInt8], width: Int, height: Int, channels: Int32
  ) throws(ImagingError) -> [UInt8] {
    try encoded(.png, width: width, height: height) { columns, rows, result, message in
      pixels.withUnsafeBufferPointer {
        cic_png_write($0.baseAddress, columns, rows, channels, result, message)
      }
    }
  }

  /// JPEG bytes of rows of `channels` bytes a pixel; `quality` is brought into 1...100.
  static func jpeg(
    _ pixels: [UInt8], width: Int, height: Int, channels: Int32, quality: Int
  ) throws(ImagingError) -> [UInt8] {
    let quality = Int32(min(max(quality, 1), 100))
    return try encoded(.jpeg, width: width, height: height) { columns, rows, result, message in
      pixels.withUnsafeBufferPointer {
        cic_jpeg_write($0.baseAddress, columns, rows, channels, quality, result, message)
      }
    }
  }

  private static func encoded(
    _ format: ImageFormat, width: Int, height: Int,
    _ body: (
      UInt32, UInt32, UnsafeMutablePointer<cic_encoded>, UnsafeMutablePointer<CChar>
    ) -> cic_status
  ) throws(ImagingError) -> [UInt8] {
    guard let columns = UInt16(exactly: width), let rows = UInt16(exactly: height) else {
      throw ImagingError(
        .tooLarge, path: "\(format)", message: "\(width)x\(height) pixels are too many to encode")
    }
    var result = cic_encoded()
    defer { cic_encoded_free(&result) }
    let failure = CodecCall.failure(of: format, path: "\(format)") { message in
      body(UInt32(columns), UInt32(rows), &result, message)
    }
    if let failure {
      throw ImagingError(
        failure.code == .outOfMemory ? .outOfMemory : .notWritable, path: failure.path,
        message: "the picture of \(width)x\(height) pixels could not be encoded")
    }
    return Array(UnsafeBufferPointer(start: result.bytes, count: result.count))
  }
}

extension PixelImage {
  /// The image as the bytes of an 8-bit PNG file, grey or RGB.
  ///
  /// Alpha is left out: a frame has none.
  public func pngData() throws(ImagingError) -> [UInt8] {
    try ImageEncoding.png(
      pixels, width: width, height: height, channels: Int32(Self.bytesPerPixel))
  }

  /// The image as a JPEG file's bytes, of `quality` 1 (smallest) to 100 (best).
  ///
  /// Below 90 colour is stored at half the resolution. Alpha is left out.
  public func jpegData(quality: Int = 95) throws(ImagingError) -> [UInt8] {
    try ImageEncoding.jpeg(
      pixels, width: width, height: height, channels: Int32(Self.bytesPerPixel), quality: quality)
  }

  /// Writes the image as a PNG file, which appears complete or not at all.
  public func writePNG(toFileAt path: String) throws(ImagingError) {
    try AtomicFile.write(try pngData(), toFileAt: path)
  }

  /// Writes the image as a JPEG file, which appears complete or not at all.
  public func writeJPEG(toFileAt path: String, quality: Int = 95) throws(ImagingError) {
    try AtomicFile.write(try jpegData(quality: quality), toFileAt: path)
  }
}
