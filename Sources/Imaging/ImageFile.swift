/// Reading of pictures, from files and from memory.
///
/// Pictures are decoded in the pixel grid in which the sensor stored them: an EXIF orientation is
/// reported by the header and never applied, as it would exchange the two axes of the intrinsics.
/// A truncated or damaged picture is an error, never half used. All functions may be called from
/// several threads at once.
public enum ImageFile {
  /// Reads what a file says of its picture, without decoding it.
  ///
  /// The format is recognised by content. Reads a few kilobytes; for formats other than JPEG, PNG and
  /// PNM it asks the `ffprobe` program, and waits for it at most half a minute.
  /// - Throws: `ImagingError` when the file is missing, unreadable, no picture, damaged in what is
  ///   looked at here, or larger than 65535 pixels a side or 500 megapixels.
  public static func header(ofFileAt path: String) throws(ImagingError) -> ImageHeader {
    let file = try RegularFile(path: path)
    let kind = ContentKind(startOf: try file.bytes(at: 0, count: ContentKind.neededBytes))
    if case .image(.other(let format)) = kind {
      return try FFmpeg.header(of: file, format: format, path: path)
    }
    return try ImageHeader.probed(.file(file), path: path)
  }

  /// Reads what an encoded JPEG, PNG or PNM in memory says of its picture; `name` is for errors.
  public static func header(
    of bytes: RawSpan, named name: String
  ) throws(ImagingError) -> ImageHeader {
    try bytes.withUnsafeBytes { bytes throws(ImagingError) in
      try decodableHeader(of: bytes, named: name)
    }
  }

  /// Decodes a file's picture to 8-bit grey.
  ///
  /// Colour becomes Rec. 601 luma, transparency shows white. Of 16-bit pictures the range that holds
  /// nearly all pixels is stretched to 0…255 (`Gray16Image.stretched`); 8-bit values stay as they
  /// are. Formats other than JPEG, PNG and PNM are decoded by the `ffmpeg` program.
  /// - Throws: `ImagingError`, also for a picture that is not whole.
  public static func grayImage(ofFileAt path: String) throws(ImagingError) -> GrayImage {
    let file = try RegularFile(path: path)
    let kind = ContentKind(startOf: try file.bytes(at: 0, count: ContentKind.neededBytes))
    if case .image(.other(let format)) = kind {
      let picture = try FFmpeg.picture(of: file, format: format, path: path)
      return try grayImage(of: picture.span.bytes, named: path)
    }
    let contents = try file.contents()
    return try grayImage(of: contents.span.bytes, named: path)
  }

  /// Decodes a JPEG, PNG or PNM in memory to 8-bit grey, as above; `name` is for errors.
  public static func grayImage(
    of bytes: RawSpan, named name: String
  ) throws(ImagingError) -> GrayImage {
    try bytes.withUnsafeBytes { bytes throws(ImagingError) in
      let header = try decodableHeader(of: bytes, named: name)
      switch header.format {
      case .jpeg: return try JPEGDecoding.grayImage(bytes, header: header, path: name)
      case .png: return try PNGDecoding.grayImage(bytes, header: header, path: name)
      default: return try PNMDecoding.grayImage(bytes, path: name)
      }
    }
  }

  private static func decodableHeader(
    of bytes: UnsafeRawBufferPointer, named name: String
  ) throws(ImagingError) -> ImageHeader {
    guard !bytes.isEmpty else {
      throw ImagingError(.empty, path: name, message: "there are no bytes")
    }
    return try ImageHeader.probed(.memory(bytes), path: name)
  }
}
