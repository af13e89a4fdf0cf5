/// What a picture's file says of it without decoding it.
public struct ImageHeader: Sendable, Hashable {
  /// The file format, by content.
  public var format: ImageFormat
  /// The number of columns as stored, that is, of the sensor's own pixel grid; at least 1.
  public var width: Int
  /// The number of rows as stored; at least 1.
  public var height: Int
  /// Bits of one sample, as stored.
  public var bitsPerSample: Int
  /// The EXIF orientation 1…8, which decoding never applies; nil without a tag.
  public var orientation: Int?
  /// The camera's maker by EXIF.
  public var make: String?
  /// The camera's model by EXIF.
  public var model: String?

  init(
    format: ImageFormat, width: Int, height: Int, bitsPerSample: Int = 8, exif: ExifTags? = nil
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.bitsPerSample = bitsPerSample
    self.orientation = exif?.orientation
    self.make = exif?.make
    self.model = exif?.model
  }
}

extension ImageHeader {
  /// The largest width and height: formats, libraries and stored resolutions end there.
  static let mostPixelsASide = 65535
  /// The largest number of pixels: 500 megapixels are beyond any camera that is calibrated with a
  /// board, and a damaged header must not take all memory.
  static let mostPixels = 500_000_000

  /// Refuses sizes that are empty or beyond the limits.
  func checked(path: String) throws(ImagingError) -> ImageHeader {
    guard width > 0, height > 0 else {
      throw ImagingError(
        .corrupt, path: path,
        message: "its header gives a size of \(width)x\(height) pixels; the file is damaged")
    }
    guard width <= Self.mostPixelsASide, height <= Self.mostPixelsASide,
      width * height <= Self.mostPixels
    else {
      throw ImagingError(
        .tooLarge, path: path,
        message: "has \(width)x\(height) pixels; at most \(Self.mostPixelsASide) a side and "
          + "\(Self.mostPixels / 1_000_000) million in all are read; use the camera's own size")
    }
    return self
  }

  /// Reads the header of a JPEG, PNG or PNM.
  static func probed(
    _ source: borrowing ByteSource, path: String
  ) throws(ImagingError) -> ImageHeader {
    let kind = ContentKind(startOf: try source.bytes(at: 0, count: ContentKind.neededBytes))
    switch kind {
    case .image(.jpeg): return try jpeg(source, path: path).checked(path: path)
    case .image(.png): return try png(source, path: path).checked(path: path)
    case .image(.pnm): return try pnm(source, path: path).checked(path: path)
    case .image(.other(let format)):
      throw ImagingError(
        .unsupportedFormat, path: path,
        message: "is a \(format); only JPEG, PNG and PNM are decoded from memory")
    case .video(let container):
      throw ImagingError(
        .unsupportedFormat, path: path,
        message: "is a video (\(container)), not a picture; give it as the only source")
    case .unknown:
      throw ImagingError(
        .unsupportedFormat, path: path,
        message: "is not a picture of a known format (JPEG, PNG, PNM; others through ffmpeg)")
    }
  }
}
