package import Imaging

/// A chessboard seen straight on, turned by an angle: each pixel the mean of 4x4 samples, no blur.
package struct DrawnBoard {
  package var columns: Int
  package var rows: Int
  package var square = 24.0
  package var angle: Double
  package var origin: SIMD2<Double>
  package var width: Int
  package var height: Int

  /// Creates the board that the properties describe.
  package init(
    columns: Int = 9, rows: Int = 6, angle: Double = 0.1, origin: SIMD2<Double> = SIMD2(90, 60),
    width: Int = 400, height: Int = 300
  ) {
    (self.columns, self.rows, self.angle) = (columns, rows, angle)
    (self.origin, self.width, self.height) = (origin, width, height)
  }

  package var xAxis: SIMD2<Double> { SIMD2(cosine, sine) * square }
  package var yAxis: SIMD2<Double> { SIMD2(-sine, cosine) * square }
  private var cosine: Double { 1 - angle * angle / 2 + angle * angle * angle * angle / 24 }
  private var sine: Double { (1 - cosine * cosine).squareRoot() * (angle < 0 ? -1 : 1) }

  /// The inner corners, row by row; the square at the top left is dark.
  package var corners: [SIMD2<Double>] {
    (0..<rows).flatMap { r in
      (0..<columns).map { c in origin + xAxis * Double(c) + yAxis * Double(r) }
    }
  }

  /// Plain numbers and a pointer: the tests run unoptimised.
  package var image: GrayImage {
    let (ux, uy, vx, vy) = (cosine / square, sine / square, -sine / square, cosine / square)
    let (ox, oy) = (origin.x, origin.y)
    let (right, bottom) = (Double(columns), Double(rows))
    var pixels = [UInt8](repeating: 0, count: width * height)
    pixels.withUnsafeMutableBufferPointer { out in
      var at = 0
      for row in 0..<height {
        for column in 0..<width {
          var light = 0
          var sample = 0
          while sample < 16 {
            let x = Double(column) + Double(sample & 3) * 0.25 - 0.375 - ox
            let y = Double(row) + Double(sample >> 2) * 0.25 - 0.375 - oy
            let u = x * ux + y * uy
            let v = x * vx + y * vy
            let onBoard = u >= -1 && v >= -1 && u < right && v < bottom
            if !(onBoard && (Int(u + 100) + Int(v + 100)) & 1 == 0) { light += 1 }
            sample += 1
          }
          out[at] = UInt8(30 + (190 * light + 8) / 16)
          at += 1
        }
      }
    }
    return GrayImage(width: width, height: height, pixels: pixels)
  }
}
