/// An image of one 16-bit grey value a pixel, rows without gaps, top row first.
struct Gray16Image: Sendable, Hashable {
  let width: Int
  let height: Int
  var pixels: [UInt16]
}

extension Gray16Image {
  /// The share of pixels that may be clipped at either end.
  ///
  /// Cameras of 10 to 16 bits often use a small part of the range, so that their top 8 bits alone show
  /// a dark page. A thousandth (300 pixels of 640x480) is hot pixels, lamps and dead corners, which
  /// must not decide the contrast; a board covers far more.
  static let clippedShare = 0.001

  /// Reduces to 8 bits: the range between the two percentiles becomes 0…255, linearly.
  ///
  /// An image of one value becomes mid-grey. Costs two passes.
  func stretched() -> GrayImage {
    var histogram = [Int](repeating: 0, count: 65536)
    histogram.withUnsafeMutableBufferPointer { counts in
      pixels.withUnsafeBufferPointer { values in
        for value in values { counts[Int(value)] += 1 }
      }
    }
    let clipped = Int(Double(pixels.count) * Self.clippedShare)
    let low = Self.percentile(histogram.indices, of: histogram, after: clipped)
    let high = Self.percentile(histogram.indices.reversed(), of: histogram, after: clipped)
    let table = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, initialized in
      for value in 0..<65536 {
        let clamped = min(max(value, low), high)
        buffer[value] =
          high > low ? UInt8(((clamped - low) * 255 + (high - low) / 2) / (high - low)) : 128
      }
      initialized = 65536
    }
    let reduced = [UInt8](unsafeUninitializedCapacity: pixels.count) { buffer, initialized in
      table.withUnsafeBufferPointer { table in
        pixels.withUnsafeBufferPointer { values in
          for index in values.indices { buffer[index] = table[Int(values[index])] }
        }
      }
      initialized = pixels.count
    }
    return GrayImage(width: width, height: height, pixels: reduced)
  }

  /// The first value in the order of `values` with more than `clipped` pixels up to it.
  private static func percentile(
    _ values: some Sequence<Int>, of histogram: [Int], after clipped: Int
  ) -> Int {
    var count = 0
    for value in values {
      count += histogram[value]
      if count > clipped { return value }
    }
    return 0
  }
}
