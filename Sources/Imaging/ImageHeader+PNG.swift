extension ImageHeader {
  /// The chunks that are walked at most in search of EXIF; a 500-megapixel file in 8-KB chunks has
  /// fewer.
  private static let mostChunks = 1 << 18
  /// The largest EXIF block that is read; cameras write a few KB and a thumbnail.
  private static let mostExifBytes = 1 << 20

  /// Reads a PNG's header chunk and, wherever it stands, its EXIF chunk.
  ///
  /// **Source:** PNG (third edition), sections 5.3, 11.2.1 and 11.3.5.5.
  static func png(_ source: borrowing ByteSource, path: String) throws(ImagingError) -> ImageHeader
  {
    let start = try source.bytes(at: 0, count: 33)
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    guard start.prefix(8).elementsEqual(signature.prefix(start.count)) else {
      throw ImagingError(
        .corrupt, path: path,
        message: "the PNG's signature is damaged, as by a transfer in text mode; copy it in binary")
    }
    guard let width = start.bigEndian32(at: 16), let height = start.bigEndian32(at: 20),
      start.count == 33
    else {
      throw ImagingError(
        .truncated, path: path,
        message: "the PNG ends within its header; copy it again from the camera")
    }
    guard start[12..<16].elementsEqual("IHDR".utf8) else {
      throw ImagingError(
        .corrupt, path: path, message: "the PNG does not begin with a header; it is damaged")
    }
    var exif: ExifTags?
    var offset = 33
    for _ in 0..<mostChunks {
      let chunk = try source.bytes(at: offset, count: 8)
      guard let length = chunk.bigEndian32(at: 0), chunk.count == 8 else { break }
      if chunk[4...].elementsEqual("eXIf".utf8) {
        if length <= mostExifBytes {
          exif = ExifTags(tiff: try source.bytes(at: offset + 8, count: length))
        }
        break
      }
      if chunk[4...].elementsEqual("IEND".utf8) { break }
      offset += length + 12
    }
    return ImageHeader(
      format: .png, width: width, height: height, bitsPerSample: Int(start[24]), exif: exif)
  }
}
