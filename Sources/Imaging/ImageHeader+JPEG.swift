extension ImageHeader {
  /// The marker segments that are walked at most: files have tens, with a large profile hundreds.
  private static let mostSegments = 4096

  /// Reads the markers of the first JPEG picture up to its frame header.
  ///
  /// **Source:** ITU-T T.81, annex B. Multi-picture files (CIPA DC-007) begin with their main
  /// picture, which is therefore the one that is described.
  static func jpeg(
    _ source: borrowing ByteSource, path: String
  ) throws(ImagingError) -> ImageHeader {
    var exif: ExifTags?
    var offset = 2
    for _ in 0..<mostSegments {
      guard let (marker, found) = try nextMarker(source, from: offset) else {
        throw ImagingError(
          .truncated, path: path,
          message: "the JPEG ends before its picture begins; copy it again from the camera")
      }
      offset = found + 2
      switch marker {
      case 0x01, 0xD0...0xD8: continue  // these stand alone, without a length
      case 0xD9, 0xDA:
        throw ImagingError(
          .corrupt, path: path,
          message: "the JPEG has no frame header, hence no size; copy it again from the camera")
      default: break
      }
      let start = try source.bytes(at: offset, count: 10)
      guard let length = start.bigEndian16(at: 0), length >= 2 else {
        throw ImagingError(
          .corrupt, path: path,
          message: "the JPEG has a damaged marker segment; copy it again from the camera")
      }
      if isFrameHeader(marker) {
        guard let height = start.bigEndian16(at: 3), let width = start.bigEndian16(at: 5) else {
          throw ImagingError(
            .truncated, path: path,
            message: "the JPEG ends within its frame header; copy it again from the camera")
        }
        let bits = Int(start[2])
        return ImageHeader(
          format: .jpeg, width: width, height: height, bitsPerSample: bits, exif: exif)
      }
      let isExif = start.count >= 8 && start[2..<8].elementsEqual("Exif\0\0".utf8)
      if marker == 0xE1 && isExif && exif == nil {
        exif = ExifTags(tiff: try source.bytes(at: offset + 8, count: length - 8))
      }
      offset += length
    }
    throw ImagingError(
      .corrupt, path: path,
      message: "the JPEG has over \(mostSegments) segments before its picture; it is damaged")
  }

  /// The next marker code and the position of its 0xFF; nil where the bytes end.
  private static func nextMarker(
    _ source: borrowing ByteSource, from start: Int
  ) throws(ImagingError) -> (marker: UInt8, position: Int)? {
    var offset = start
    // Usually the two bytes stand right here; decoders skip whatever stands between segments.
    var window = try source.bytes(at: offset, count: 2)
    while window.count >= 2 {
      for index in 0..<window.count - 1
      where window[index] == 0xFF && window[index + 1] != 0xFF && window[index + 1] != 0 {
        return (window[index + 1], offset + index)
      }
      offset += window.count - 1
      window = try source.bytes(at: offset, count: 4096)
    }
    return nil
  }

  /// SOF0…SOF15: all of 0xC0…0xCF but DHT, JPG and DAC.
  private static func isFrameHeader(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
  }
}
