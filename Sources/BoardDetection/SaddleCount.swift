internal import Imaging

/// A bounded check before the slow searches: whether the image holds anything like so many corners.
///
/// Around a corner of a chessboard brightness is a saddle: S = f_xy² − f_xx f_yy is large. Saddles are
/// counted that stand out of the image's noise, at its own size and at a quarter; noise alone has next
/// to none, and a board has as many as corners. Passing says little (foliage passes, too); failing is
/// sure. Cost: about 15 ms a megapixel.
struct SaddleCount: Sendable, Hashable {
  /// The larger count of both sizes.
  let count: Int

  /// Counts, at most up to `limit`.
  init(in image: GrayImage, limit: Int) {
    // Above 2000 px a side, squares that a finder can use have at least 4 px after halving.
    let halvings = max(image.width, image.height) > 2000 ? 1 : 0
    var plane = Plane(image)
    for _ in 0..<halvings { plane = plane.halved() }
    var best = plane.saddles(limit: limit)
    if best < limit { best = max(best, plane.halved().halved().saddles(limit: limit)) }
    count = best
  }
}

/// A grey image of floats.
private struct Plane {
  var width: Int
  var height: Int
  var values: [Float]

  init(_ image: GrayImage) {
    width = image.width
    height = image.height
    values = image.pixels.map(Float.init)
  }

  init(width: Int, height: Int, values: [Float]) {
    self.width = width
    self.height = height
    self.values = values
  }

  /// Means of 2x2 pixels.
  func halved() -> Plane {
    let (w, h) = (width / 2, height / 2)
    let result = [Float](unsafeUninitializedCapacity: w * h) { out, count in
      values.withUnsafeBufferPointer { p in
        for y in 0..<h {
          for x in 0..<w {
            let at = 2 * y * width + 2 * x
            out[y * w + x] = 0.25 * (p[at] + p[at + 1] + p[at + width] + p[at + width + 1])
          }
        }
      }
      count = w * h
    }
    return Plane(width: w, height: h, values: result)
  }

  /// Smoothed by the binomial weights 1 4 6 4 1 both ways (σ = 1 px); a border of 2 px stays as it is.
  private func smoothed() -> [Float] {
    let w = width
    var across = values
    var result = values
    values.withUnsafeBufferPointer { p in
      across.withUnsafeMutableBufferPointer { q in
        for y in 0..<height {
          for i in y * w + 2..<y * w + w - 2 {
            q[i] = (p[i - 2] + p[i + 2] + 4 * (p[i - 1] + p[i + 1]) + 6 * p[i]) * 0.0625
          }
        }
        result.withUnsafeMutableBufferPointer { r in
          for y in 2..<height - 2 {
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

  /// The number of local maxima of √S above four deviations of the second derivative, at most `limit`.
  func saddles(limit: Int) -> Int {
    let (w, h) = (width, height)
    guard w >= 16, h >= 16 else { return 0 }
    let smooth = smoothed()
    var found = 0
    smooth.withUnsafeBufferPointer { p in
      // The median of |f_xx| on a sample of pixels: noise, as most of an image is smooth. For products
      // of normal deviates 16 σ² is passed about once in 10⁷; half a grey level is rounding.
      var sample: [Float] = []
      let stride = max(1, w * h / 20_000)
      var at = 2 * w + 2
      while at < (h - 2) * w - 2 {
        sample.append(abs(p[at - 2] + p[at + 2] - 2 * p[at]))
        at += stride
      }
      sample.sort()
      let sigma = max(0.5, (sample.isEmpty ? 0 : sample[sample.count / 2]) / 0.6745)
      let threshold = 16 * sigma * sigma
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
        for y in 4..<h - 4 {
          for i in y * w + 4..<y * w + w - 4 where r[i] > threshold {
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
