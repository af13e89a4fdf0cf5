public import CameraModel

extension PixelImage {
  /// A rectangle cut from the image; the intrinsics follow by `CameraParameters.cropped`.
  ///
  /// - Parameters:
  ///   - x: The first column that is kept.
  ///   - y: The first row that is kept.
  ///   - width: The number of columns of the result, at least 1.
  ///   - height: The number of rows of the result, at least 1.
  /// - Throws: `ImagingError` (`.tooSmall`) when the rectangle reaches beyond the image.
  public func cropped(
    x: Int, y: Int, width: Int, height: Int
  ) throws(ImagingError) -> Self {
    guard x >= 0, y >= 0, width >= 1, height >= 1, x <= self.width - width,
      y <= self.height - height
    else {
      throw ImagingError(
        .tooSmall, path: "image of \(resolution)",
        message: "has no \(width)x\(height) pixels from column \(x) and row \(y) on; choose a "
          + "rectangle within it")
    }
    let (rowBytes, fullRowBytes) = (Self.bytesPerPixel * width, Self.bytesPerPixel * self.width)
    var kept: [UInt8] = []
    kept.reserveCapacity(rowBytes * height)
    for row in y..<y + height {
      let start = row * fullRowBytes + Self.bytesPerPixel * x
      kept += pixels[start..<start + rowBytes]
    }
    return Self(width: width, height: height, pixels: kept)
  }

  /// The whole image squeezed or stretched to another size; the intrinsics follow by
  /// `CameraParameters.scaled(to:)`.
  ///
  /// Each pixel of the result is the mean of the area that it covers (a box filter), so that nothing
  /// shifts: the image's outer border stays in place, in both pixel conventions. Costs one pass over
  /// the image, about a nanosecond a channel.
  /// - Throws: `ImagingError` (`.tooLarge`) for a size that no image has.
  public func resized(to size: Resolution) throws(ImagingError) -> Self {
    let sides = 1...ImageHeader.mostPixelsASide
    guard sides.contains(size.width), sides.contains(size.height), sides.contains(width),
      sides.contains(height), size.width * size.height <= ImageHeader.mostPixels
    else {
      throw ImagingError(
        .tooLarge, path: "image of \(resolution)",
        message: "can't be resized to \(size); each side has 1 to "
          + "\(ImageHeader.mostPixelsASide) pixels")
    }
    guard size != resolution else { return self }
    let count = Self.bytesPerPixel * size.width * size.height
    let resized = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      pixels.withUnsafeBytes { source in
        PixelGeometry.resize(
          source, resolution, bytesPerRow: Self.bytesPerPixel * width,
          to: UnsafeMutableRawBufferPointer(target), size,
          bytesPerRow: Self.bytesPerPixel * size.width, bytesPerPixel: Self.bytesPerPixel)
      }
      initialized = count
    }
    return Self(width: size.width, height: size.height, pixels: resized)
  }
}
