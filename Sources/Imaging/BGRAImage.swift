/// An image of 8-bit BGRA pixels, rows without gaps, top row first: what video outputs deliver.
public struct BGRAImage: Sendable, Hashable {
  /// The number of columns, at least 1.
  public let width: Int
  /// The number of rows, at least 1.
  public let height: Int
  /// Blue, green, red and alpha of each pixel: `4 * width * height` values, row by row.
  public var pixels: [UInt8]

  /// Creates an image from its values, row by row; there must be `4 * width * height` of them.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0 && pixels.count == 4 * width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Copies an image out of memory whose rows may be further apart than their pixels.
  ///
  /// - Throws: `ImagingError` (`.tooSmall`) when `bytes` does not hold `height` such rows.
  public init(
    copying bytes: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int
  ) throws(ImagingError) {
    self.init(
      width: width, height: height,
      pixels: try packedRows(
        of: bytes, width: width, height: height, bytesPerPixel: 4, bytesPerRow: bytesPerRow))
  }
}

extension BGRAImage: CustomStringConvertible {
  /// The size and kind, without the pixels.
  public var description: String { "BGRA image of \(width)x\(height)" }
}

extension ColorImage {
  /// Creates a picture of the colours of a BGRA image, without its alpha.
  public init(_ image: BGRAImage) {
    let count = image.width * image.height
    let pixels = [UInt8](unsafeUninitializedCapacity: 3 * count) { buffer, initialized in
      image.pixels.withUnsafeBufferPointer { values in
        for index in 0..<count {
          buffer[3 * index] = values[4 * index + 2]
          buffer[3 * index + 1] = values[4 * index + 1]
          buffer[3 * index + 2] = values[4 * index]
        }
      }
      initialized = 3 * count
    }
    self.init(width: image.width, height: image.height, pixels: pixels)
  }
}

extension GrayImage {
  /// Copies an image out of memory whose rows may be further apart than their pixels.
  ///
  /// - Throws: `ImagingError` (`.tooSmall`) when `bytes` does not hold `height` such rows.
  public init(
    copying bytes: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int
  ) throws(ImagingError) {
    self.init(
      width: width, height: height,
      pixels: try packedRows(
        of: bytes, width: width, height: height, bytesPerPixel: 1, bytesPerRow: bytesPerRow))
  }
}

/// Rows copied without the gaps between them.
private func packedRows(
  of bytes: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerPixel: Int, bytesPerRow: Int
) throws(ImagingError) -> [UInt8] {
  let sides = 1...ImageHeader.mostPixelsASide
  let rowBytes = width * bytesPerPixel
  guard sides.contains(width), sides.contains(height), bytesPerRow >= rowBytes,
    (bytes.count - rowBytes) / bytesPerRow >= height - 1, bytes.count >= rowBytes
  else {
    throw ImagingError(
      .tooSmall, path: "image of \(width)x\(height)",
      message: "\(height) rows of \(rowBytes) bytes, \(bytesPerRow) bytes apart, are expected; "
        + "\(bytes.count) bytes were given")
  }
  return [UInt8](unsafeUninitializedCapacity: height * rowBytes) { buffer, initialized in
    let target = UnsafeMutableRawBufferPointer(buffer)
    for row in 0..<height {
      let source = UnsafeRawBufferPointer(
        rebasing: bytes[row * bytesPerRow..<row * bytesPerRow + rowBytes])
      UnsafeMutableRawBufferPointer(rebasing: target[(row * rowBytes)...]).copyMemory(from: source)
    }
    initialized = height * rowBytes
  }
}
