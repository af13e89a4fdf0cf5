public import CameraModel

extension PixelImage {
  /// The image turned and mirrored upright from `orientation`; its pixels are moved, not resampled.
  ///
  /// The intrinsics turn along by `CameraParameters.oriented`.
  public func oriented(_ orientation: ImageOrientation) -> Self {
    guard orientation != .up else { return self }
    let size = resolution.oriented(orientation)
    let moved = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, initialized in
      pixels.withUnsafeBytes { source in
        PixelGeometry.orient(
          source, resolution, bytesPerRow: Self.bytesPerPixel * width, from: orientation,
          to: UnsafeMutableRawBufferPointer(target), bytesPerRow: Self.bytesPerPixel * size.width,
          bytesPerPixel: Self.bytesPerPixel)
      }
      initialized = pixels.count
    }
    return Self(width: size.width, height: size.height, pixels: moved)
  }
}
