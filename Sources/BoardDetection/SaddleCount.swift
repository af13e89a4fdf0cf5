internal import Imaging

/// A bounded check before the slow searches: whether the image holds anything like so many corners.
///
/// Around a corner of a chessboard brightness is a saddle: S = f_xy² − f_xx f_yy is large. Saddles are
/// counted that stand out of the image's noise, at its own size and at a quarter; noise alone has next
/// to none, and a board has as many as corners. Passing says little (foliage passes, too); failing is
/// sure. Cost: about 15 ms a megapixel. Large images are looked at in bands, so that memory is bounded.
struct SaddleCount: Sendable, Hashable {
  /// The larger count of both sizes.
  let count: Int

  /// So many pixels are looked at at once, four floats each; at least 64 rows.
  static let bandPixels = 1 << 22

  /// Counts, at most up to `limit`.
  init(in image: GrayImage, limit: Int, bandPixels: Int = bandPixels) {
    // Above 2000 px a side, squares that a finder can use have at least 4 px after halving.
    let halvings = max(image.width, image.height) > 2000 ? 1 : 0
    var best = Self.saddles(in: image, halvings: halvings, limit: limit, bandPixels)
    if best < limit {
      best = max(best, Self.saddles(in: image, halvings: halvings + 2, limit: limit, bandPixels))
    }
    count = best
  }

  /// The number of saddles of an image that was halved so often, at most `limit`; the bands do not change it.
  private static func saddles(
    in image: GrayImage, halvings: Int, limit: Int, _ bandPixels: Int
  ) -> Int {
    let (width, height) = (image.width >> halvings, image.height >> halvings)
    guard width >= 16, height >= 16 else { return 0 }
    let rows = max(64, bandPixels / width)
    let bands = stride(from: 0, to: height, by: rows).map { start in
      Band(rows: start..<min(height, start + rows), width: width, height: height, image, halvings)
    }
    // Of one band, as most images are, it is not worked out twice.
    let only = bands.count == 1 ? bands[0].smoothed() : nil
    var sample: [Float] = []
    for band in bands { band.addSecondDerivatives(only ?? band.smoothed(), to: &sample) }
    sample.sort()
    // The median is noise, as most of an image is smooth. For products of normal deviates 16 σ² is passed
    // about once in 10⁷; half a grey level is rounding.
    let sigma = max(0.5, (sample.isEmpty ? 0 : sample[sample.count / 2]) / 0.6745)
    var found = 0
    for band in bands where found < limit {
      found += band.saddles(
        only ?? band.smoothed(), threshold: 16 * sigma * sigma, limit: limit - found)
    }
    return found
  }
}

/// Some rows of an image that was halved a few times.
private struct Band {
  /// The rows that it answers for.
  let rows: Range<Int>
  /// The size of the whole.
  let width: Int
  let height: Int
  private let image: GrayImage
  private let halvings: Int

  /// A maximum within 2 rows of second derivatives over 2 rows of what was smoothed over 2 rows.
  private static let margin = 6

  init(rows: Range<Int>, width: Int, height: Int, _ image: GrayImage, _ halvings: Int) {
    self.rows = rows
    self.width = width
    self.height = height
    self.image = image
    self.halvings = halvings
  }

  /// The rows with a margin, where the image has one.
  private var all: Range<Int> {
    max(0, rows.lowerBound - Self.margin)..<min(height, rows.upperBound + Self.margin)
  }

  /// All its rows: means of squares of 2^halvings pixels, exact as a float.
  private func values() -> [Float] {
    let (all, side) = (all, 1 << halvings)
    let scale = 1 / Float(side * side)
    return [Float](unsafeUninitializedCapacity: all.count * width) { out, count in
      image.pixels.withUnsafeBufferPointer { p in
        for row in all {
          for column in 0..<width {
            var sum = 0
            for y in row * side..<(row + 1) * side {
              let start = y * image.width + column * side
              for x in start..<start + side { sum += Int(p[x]) }
            }
            out[(row - all.lowerBound) * width + column] = Float(sum) * scale
          }
        }
      }
      count = all.count * width
    }
  }

  /// All its rows smoothed by the binomial weights 1 4 6 4 1 both ways (σ = 1 px); a border of 2 px stays as
  /// it is.
  func smoothed() -> [Float] {
    let (w, h) = (width, all.count)
    let values = values()
    var across = values
    var result = values
    values.withUnsafeBufferPointer { p in
      across.withUnsafeMutableBufferPointer { q in
        for y in 0..<h {
          for i in y * w + 2..<y * w + w - 2 {
            q[i] = (p[i - 2] + p[i + 2] + 4 * (p[i - 1] + p[i + 1]) + 6 * p[i]) * 0.0625
          }
        }
        result.withUnsafeMutableBufferPointer { r in
          for y in 2..<max(2, h - 2) {
            for i in y * w..<y * w + w {
              r[i] =
                (q[i - 2 * w] + q[i + 2 * w] + 4 * (q[i - w] + q[i + w]) + 6 * q[i]) * 0.0625
            }
          }
        }
      }
    }
    return result
  }

  /// Adds |f_xx| at every so many pixels of the whole image, those in its rows.
  func addSecondDerivatives(_ smooth: [Float], to sample: inout [Float]) {
    let (w, first) = (width, all.lowerBound * width)
    let stride = max(1, w * height / 20_000)
    let begin = 2 * w + 2
    let start = max(begin, rows.lowerBound * w)
    let end = min((height - 2) * w - 2, rows.upperBound * w)
    var at = begin + (start - begin + stride - 1) / stride * stride
    smooth.withUnsafeBufferPointer { p in
      while at < end {
        let i = at - first
        sample.append(abs(p[i - 2] + p[i + 2] - 2 * p[i]))
        at += stride
      }
    }
  }

  /// The number of local maxima of √S above four deviations of the second derivative in its rows, at most
  /// `limit`.
  func saddles(_ smooth: [Float], threshold: Float, limit: Int) -> Int {
    let (w, h, top) = (width, all.count, all.lowerBound)
    let inner = rows.clamped(to: 4..<height - 4)
    var found = 0
    smooth.withUnsafeBufferPointer { p in
      var response = [Float](repeating: 0, count: w * h)
      response.withUnsafeMutableBufferPointer { r in
        for y in 2..<h - 2 {
          for i in y * w + 2..<y * w + w - 2 {
            let centre = 2 * p[i]
            let xx = p[i - 2] + p[i + 2] - centre
            let yy = p[i - 2 * w] + p[i + 2 * w] - centre
            let xy =
              0.5 * (p[i - 2 * w - 2] + p[i + 2 * w + 2] - p[i - 2 * w + 2] - p[i + 2 * w - 2])
            r[i] = xy * xy - xx * yy
          }
        }
        for y in inner {
          let row = (y - top) * w
          for i in row + 4..<row + w - 4 where r[i] > threshold {
            // Largest within 2 px; of equal ones the first.
            var isMaximum = true
            for dy in -2...2 where isMaximum {
              for dx in -2...2 {
                let other = i + dy * w + dx
                if r[other] > r[i] || (r[other] == r[i] && other < i) {
                  isMaximum = false
                  break
                }
              }
            }
            if isMaximum {
              found += 1
              if found >= limit { return }
            }
          }
        }
      }
    }
    return found
  }
}
