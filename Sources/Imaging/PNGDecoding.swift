import CImageCodecs

/// PNG to grey, by libpng.
enum PNGDecoding {
  /// Decodes `bytes`; 16-bit pictures are stretched.
  static func grayImage(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, path: String
  ) throws(ImagingError) -> GrayImage {
    let (width, height) = (header.width, header.height)
    // Deflate shrinks at most 1032 times (RFC 1951: 258 bytes in 2 bits); a pixel has at least a bit.
    guard width * height / 8 / 1032 <= bytes.count else {
      throw ImagingError(
        .truncated, path: path,
        message: "the PNG has \(bytes.count) bytes, too few for \(width)x\(height) pixels; "
          + "copy it again from the camera")
    }
    let input = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    let (columns, rows) = (UInt32(width), UInt32(height))
    if header.bitsPerSample == 16 {
      let values: [UInt16] = try CodecCall.decode(
        count: width * height, format: .png, path: path
      ) { gray, message in
        cic_png_read_gray16(input, bytes.count, gray, columns, rows, message)
      }
      return Gray16Image(width: width, height: height, pixels: values).stretched()
    }
    let pixels: [UInt8] = try CodecCall.decode(
      count: width * height, format: .png, path: path
    ) { gray, message in
      cic_png_read_gray8(input, bytes.count, gray, columns, rows, message)
    }
    return GrayImage(width: width, height: height, pixels: pixels)
  }
}
