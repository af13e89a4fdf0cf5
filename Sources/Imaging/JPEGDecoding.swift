import CImageCodecs

/// JPEG to grey, by libjpeg-turbo.
enum JPEGDecoding {
  /// Decodes the first picture in `bytes`; only luma is reconstructed where the file stores it.
  static func grayImage(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, path: String
  ) throws(ImagingError) -> GrayImage {
    let (width, height) = (header.width, header.height)
    // The most compact picture spends a bit on each 8x8 block of its finest component; the bound
    // leaves room for odd sampling. It keeps a forged header from taking memory for nothing.
    guard width * height / 4096 <= bytes.count else {
      throw ImagingError(
        .truncated, path: path,
        message: "the JPEG has \(bytes.count) bytes, too few for \(width)x\(height) pixels; "
          + "copy it again from the camera")
    }
    let input = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    let pixels: [UInt8] = try CodecCall.decode(
      count: width * height, format: .jpeg, path: path
    ) { gray, message in
      cic_jpeg_read_gray(input, bytes.count, gray, UInt32(width), UInt32(height), message)
    }
    return GrayImage(width: width, height: height, pixels: pixels)
  }
}
