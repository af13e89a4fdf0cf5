public import CameraModel

extension PixelImage {
  /// The image turned and mirrored upright from `orientation`; its pixels are moved, not resampled.
  ///
  /// The intrinsics turn along by `CameraParameters.oriented`.
  public func oriented(_ orientation: ImageOrientation) -> Self {
    guard orientation != .up else { return self }
    let size = resolution.oriented(orientation)
    // Where a pixel of the result comes from is an affine map of its place.
    let inverse = orientation.inverse
    func source(_ x: Int, _ y: Int) -> Int {
      let place = inverse.place(of: SIMD2(Double(x), Double(y)), in: size)
      return Int(place.y) * width + Int(place.x)
    }
    let first = source(0, 0)
    let alongRow = size.width > 1 ? source(1, 0) - first : 0
    let alongColumn = size.height > 1 ? source(0, 1) - first : 0
    let moved = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, initialized in
      pixels.withUnsafeBufferPointer { values in
        // Tiles, as otherwise each pixel of a quarter turn would touch another cache line.
        let side = 64
        for top in stride(from: 0, to: size.height, by: side) {
          for left in stride(from: 0, to: size.width, by: side) {
            for y in top..<min(top + side, size.height) {
              for x in left..<min(left + side, size.width) {
                let from = Self.bytesPerPixel * (first + x * alongRow + y * alongColumn)
                let to = Self.bytesPerPixel * (y * size.width + x)
                for channel in 0..<Self.bytesPerPixel {
                  target[to + channel] = values[from + channel]
                }
              }
            }
          }
        }
      }
      initialized = pixels.count
    }
    return Self(width: size.width, height: size.height, pixels: moved)
  }
}
