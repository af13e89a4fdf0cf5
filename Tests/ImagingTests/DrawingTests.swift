import Imaging
import Testing

struct DrawingTests {
  private let red = ColorImage.Color(red: 255, green: 0, blue: 0)

  private func black(_ width: Int, _ height: Int) -> ColorImage {
    ColorImage(
      GrayImage(
        width: width, height: height, pixels: [UInt8](repeating: 0, count: width * height)))
  }

  /// The reds of the image.
  private func reds(_ image: ColorImage) -> [Int] {
    stride(from: 0, to: image.pixels.count, by: 3).map { Int(image.pixels[$0]) }
  }

  @Test func linePassesThroughPixelCentres() {
    var image = black(5, 3)
    image.drawLine(from: SIMD2(1, 1), to: SIMD2(3, 1), color: red)
    #expect(reds(image) == [0, 0, 0, 0, 0, 0, 255, 255, 255, 0, 0, 0, 0, 0, 0])
  }

  @Test func lineBetweenTwoRowsIsSharedEqually() {
    var image = black(9, 4)
    image.drawLine(from: SIMD2(-5, 1.5), to: SIMD2(20, 1.5), color: red)
    let rows = (0..<4).map { reds(image)[$0 * 9 + 4] }
    #expect(rows[0] == 0 && rows[3] == 0)
    #expect(abs(rows[1] - 127) <= 1 && rows[1] == rows[2])
  }

  @Test func circleCoversItsCircumference() {
    var image = black(60, 60)
    image.drawCircle(center: SIMD2(30, 29), radius: 20, color: red)
    // 2πr pixels of a line one pixel wide; the ramps are good to a few percent.
    let covered = Double(reds(image).reduce(0, +)) / 255
    #expect(abs(covered - 2 * .pi * 20) < 6, "\(covered)")
    image.fillCircle(center: SIMD2(30, 29), radius: 21, color: red)
    let filled = Double(reds(image).reduce(0, +)) / 255
    #expect(abs(filled - .pi * 21 * 21) < 14, "\(filled)")
  }

  @Test func whatLiesOutsideIsLeftOut() {
    var image = black(4, 4)
    let before = image
    image.drawLine(from: SIMD2(-1e300, 1), to: SIMD2(-5, 1), color: red)
    image.drawLine(from: SIMD2(.nan, 1), to: SIMD2(3, 1), color: red)
    image.drawCircle(center: SIMD2(.infinity, 0), radius: 3, color: red)
    image.drawCircle(center: SIMD2(1, 1), radius: -40, color: red)
    image.drawLine(from: SIMD2(0, 0), to: SIMD2(3, 3), width: 0, color: red)
    #expect(image == before)
    image.drawLine(from: SIMD2(-1e300, 1), to: SIMD2(1e300, 1), color: red)
    image.drawLine(from: SIMD2(-1e9, -1e9), to: SIMD2(1e9, 1e9), color: red)
    #expect(image != before)
  }
}
