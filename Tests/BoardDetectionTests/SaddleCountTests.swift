import Imaging
import Testing

@testable import BoardDetection

@Suite("The count of what looks like corners")
struct SaddleCountTests {
  /// Squares of so many pixels with a little noise, seen at a slant.
  private func board(width: Int, height: Int, square: Double, noise: Int) -> GrayImage {
    var state: UInt32 = 7
    let pixels = (0..<width * height).map { index -> UInt8 in
      let (x, y) = (Double(index % width), Double(index / width))
      let (u, v) = ((0.96 * x + 0.27 * y) / square, (0.96 * y - 0.27 * x) / square)
      state = state &* 1_664_525 &+ 1_013_904_223
      let grain = noise == 0 ? 0 : Int(state >> 16) % (2 * noise + 1) - noise
      let isDark = (Int(u.rounded(.down)) + Int(v.rounded(.down))).isMultiple(of: 2)
      return UInt8(clamping: (isDark ? 40 : 210) + grain)
    }
    return GrayImage(width: width, height: height, pixels: pixels)
  }

  @Test(
    "An image looked at in bands has as many as one looked at whole",
    arguments: [(300, 517, 17.0, 4), (2300, 410, 31.0, 0), (640, 480, 90.0, 20)])
  func bands(width: Int, height: Int, square: Double, noise: Int) {
    let image = board(width: width, height: height, square: square, noise: noise)
    let whole = SaddleCount(in: image, limit: .max).count
    // 64 rows a band, the fewest.
    #expect(SaddleCount(in: image, limit: .max, bandPixels: 1).count == whole)
    #expect(SaddleCount(in: image, limit: .max, bandPixels: 100 * width).count == whole)
    let corners = Double(width * height) / (square * square)
    #expect(Double(whole) > 0.8 * corners, "\(whole) of \(corners)")
    #expect(SaddleCount(in: image, limit: 5, bandPixels: 1).count == 5)
  }

  @Test("Noise, a plain image and one of a few pixels have next to none")
  func nothing() {
    var state: UInt64 = 1
    // Sums of twelve bytes of SplitMix64 (Steele, Lea and Flood, 2014): nearly normal deviates.
    func grain() -> Int {
      (0..<2).reduce(0) { sum, _ in
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return (0..<6).reduce(sum) { $0 + Int((z ^ (z >> 31)) >> (8 * UInt64($1)) & 255) }
      }
    }
    let noise = (0..<120_000).map { _ in UInt8(clamping: 128 + (grain() - 1530) / 40) }
    for image in [
      GrayImage(width: 400, height: 300, pixels: noise),
      GrayImage(width: 300, height: 400, pixels: Array(repeating: 77, count: 120_000)),
      board(width: 15, height: 12, square: 4, noise: 0),
    ] {
      #expect(SaddleCount(in: image, limit: 100, bandPixels: 1).count < 5)
    }
  }
}
