import CPixelKernels
package import CameraModel

/// Turning and resizing of pixels in memory of the caller's; nothing of frame size is allocated.
///
/// Rows may be further apart than their pixels. Buffers that are too small are a programmer's mistake
/// and trap.
package enum PixelGeometry {
  /// Writes an image turned upright from `orientation`: `size.oriented(orientation)` pixels.
  package static func orient(
    _ source: UnsafeRawBufferPointer, _ size: Resolution, bytesPerRow sourceStride: Int,
    from orientation: ImageOrientation, to destination: UnsafeMutableRawBufferPointer,
    bytesPerRow: Int, bytesPerPixel: Int
  ) {
    let result = size.oriented(orientation)
    check(source.count, size, sourceStride, bytesPerPixel)
    check(destination.count, result, bytesPerRow, bytesPerPixel)
    // Where a pixel of the result comes from is an affine map of its place.
    func offset(_ x: Int, _ y: Int) -> Int {
      let place = orientation.inverse.place(of: SIMD2(Double(x), Double(y)), in: result)
      return Int(place.y) * sourceStride + Int(place.x) * bytesPerPixel
    }
    let first = offset(0, 0)
    guard let from = source.assumingMemoryBound(to: UInt8.self).baseAddress,
      let to = destination.assumingMemoryBound(to: UInt8.self).baseAddress
    else { return }
    cpk_move(
      from + first, offset(1, 0) - first, offset(0, 1) - first, to, bytesPerRow,
      UInt32(result.width), UInt32(result.height), UInt32(bytesPerPixel))
  }

  /// Writes an image resized by area averages; `bytesPerPixel` is 1, 3 or 4, a channel each.
  ///
  /// A crop is a resize of a part of the source: `source` may begin at any of its pixels.
  package static func resize(
    _ source: UnsafeRawBufferPointer, _ size: Resolution, bytesPerRow sourceStride: Int,
    to destination: UnsafeMutableRawBufferPointer, _ newSize: Resolution, bytesPerRow: Int,
    bytesPerPixel: Int
  ) {
    check(source.count, size, sourceStride, bytesPerPixel)
    check(destination.count, newSize, bytesPerRow, bytesPerPixel)
    precondition([1, 3, 4].contains(bytesPerPixel))
    guard let from = source.assumingMemoryBound(to: UInt8.self).baseAddress,
      let to = destination.assumingMemoryBound(to: UInt8.self).baseAddress
    else { return }
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: newSize.width * bytesPerPixel) {
      cpk_resize(
        from, sourceStride, UInt32(size.width), UInt32(size.height), to, bytesPerRow,
        UInt32(newSize.width), UInt32(newSize.height), UInt32(bytesPerPixel), $0.baseAddress)
    }
  }

  private static func check(
    _ count: Int, _ size: Resolution, _ bytesPerRow: Int, _ bytesPerPixel: Int
  ) {
    let rowBytes = size.width * bytesPerPixel
    precondition((1...65535).contains(size.width) && (1...65535).contains(size.height))
    precondition(bytesPerRow >= rowBytes && count >= (size.height - 1) * bytesPerRow + rowBytes)
  }
}
