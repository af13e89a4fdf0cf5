import BoardRendering
import Glibc
import Testing

@Suite("Blurred areas")
struct CoverageCanvasTests {
  /// The border of a polygon with straight sides, clockwise on the screen.
  private func polygon(_ corners: [SIMD2<Double>]) -> [BorderPiece] {
    corners.indices.map { index in
      BorderPiece(
        start: corners[index], linear: corners[(index + 1) % corners.count] - corners[index])
    }
  }

  private func coverage(
    of corners: [SIMD2<Double>], sigma: Double, size: Int = 64, motion: SIMD2<Double> = SIMD2(0, 0)
  ) -> [Float] {
    let canvas = CoverageCanvas(
      minX: 0, minY: 0, width: size, height: size, kernel: BlurKernel(blurSigma: sigma),
      motion: motion)
    canvas.add(polygon(corners), weight: 1)
    return canvas.coverage()
  }

  private let quadrangle = [
    SIMD2(18.3, 15.1), SIMD2(47.9, 21.7), SIMD2(41.2, 44.6), SIMD2(14.4, 38.2),
  ]

  @Test(
    "blur keeps area and centroid of a quadrangle", arguments: [0.05, 0.3, 0.7, 1, 2, 2.9])
  func moments(sigma: Double) {
    let values = coverage(of: quadrangle, sigma: sigma)
    var (area, sumX, sumY) = (0.0, 0.0, 0.0)
    for row in 0..<64 {
      for column in 0..<64 {
        let value = Double(values[row * 64 + column])
        area += value
        sumX += value * Double(column)
        sumY += value * Double(row)
      }
    }
    // Area and first moments of a polygon, by its corners.
    var (trueArea, trueX, trueY) = (0.0, 0.0, 0.0)
    for (a, b) in zip(quadrangle, quadrangle[1...] + quadrangle[...0]) {
      let cross = a.x * b.y - b.x * a.y
      trueArea += cross / 2
      trueX += cross * (a.x + b.x) / 6
      trueY += cross * (a.y + b.y) / 6
    }
    // Tables and quadrature are good for 1e-5 of the border; 1e-4 px of centroid is far below what
    // any detector resolves.
    #expect(abs(area - trueArea) < 1e-4 * trueArea, "area \(area), true \(trueArea)")
    #expect(abs(sumX / area - trueX / trueArea) < 1e-4)
    #expect(abs(sumY / area - trueY / trueArea) < 1e-4)
  }

  @Test(
    "an oblique edge has the Gaussian's profile, not that of blurred pixels",
    arguments: [0.5, 0.7, 1, 2], [0, 7, 20, 45, 90])
  func edgeProfile(sigma: Double, degrees: Double) {
    // A half plane right of the edge through `p`: each pixel's value is the mean over its area of
    // Φ(distance/σ), here by Simpson's rule over 16 x 16 intervals.
    let angle = degrees * .pi / 180
    let (normal, along) = (SIMD2(cos(angle), sin(angle)), SIMD2(-sin(angle), cos(angle)))
    let p = SIMD2(31.37, 32.81)
    let far = 400.0
    let values = coverage(
      of: [
        p - far * along, p - far * along + far * normal, p + far * along + far * normal,
        p + far * along,
      ], sigma: sigma)
    func expected(_ column: Int, _ row: Int) -> Double {
      var sum = 0.0
      for i in 0...16 {
        for j in 0...16 {
          let weight = simpson(i) * simpson(j)
          let x = Double(column) - p.x + Double(i) / 16 - 0.5
          let y = Double(row) - p.y + Double(j) / 16 - 0.5
          sum += weight * 0.5 * erfc(-(x * normal.x + y * normal.y) / (sigma * 2.0.squareRoot()))
        }
      }
      return sum
    }
    func simpson(_ i: Int) -> Double { (i == 0 || i == 16 ? 1 : i % 2 == 1 ? 4 : 2) / 48 }
    var worst = 0.0
    for row in stride(from: 20, through: 44, by: 3) {
      for column in 20...44 {
        worst = max(
          worst, abs(Double(values[row * 64 + column]) - expected(column, row)))
      }
    }
    // 4e-5 of the contrast is a hundredth of a grey level, 1e-4 px at σ = 0.7.
    #expect(worst < 4e-5, "worst difference \(worst) of the contrast")
  }

  @Test("what leaves the canvas to the left, above or below still counts inside")
  func clipping() {
    let kernel = BlurKernel(blurSigma: 0.8)
    func values(minX: Int, minY: Int, width: Int, height: Int) -> [Float] {
      let canvas = CoverageCanvas(
        minX: minX, minY: minY, width: width, height: height, kernel: kernel)
      canvas.add(polygon(quadrangle), weight: 1)
      return canvas.coverage()
    }
    let whole = values(minX: 0, minY: 0, width: 64, height: 64)
    let part = values(minX: 22, minY: 19, width: 17, height: 20)
    for row in 0..<20 {
      for column in 0..<17 {
        let difference = part[row * 17 + column] - whole[(row + 19) * 64 + column + 22]
        #expect(abs(difference) < 1e-5)  // single precision, summed along a row
      }
    }
  }

  @Test("motion blur is the mean along the way")
  func motion() {
    let square = [SIMD2(20.0, 20), SIMD2(40, 20), SIMD2(40, 40), SIMD2(20, 40)]
    let values = coverage(of: square, sigma: 0.5, motion: SIMD2(8, 0))
    // Across the left edge a ramp of 8 px, half way at the edge; nothing changes up and down.
    let row = Array(values[(30 * 64)..<(31 * 64)])
    for (column, expected) in [(18, 0.25), (19, 0.375), (20, 0.5), (22, 0.75), (26, 1)] {
      // Within the sampling of the way in steps of a quarter pixel.
      #expect(abs(Double(row[column]) - expected) < 0.01, "column \(column)")
    }
  }
}
