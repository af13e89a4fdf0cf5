import Imaging
import Testing

@Suite("Colour by BT.601 and BT.709")
struct ColorMatrixTests {
  /// The standards' own formulas in floating point.
  private static func bgr(
    _ y: Int, _ cb: Int, _ cr: Int, _ range: YCbCrRange, _ matrix: YCbCrMatrix
  ) -> [Double] {
    let (kr, kb) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let luma = range == .full ? Double(y) : Double(y - 16) * 255 / 219
    let scale = range == .full ? 1.0 : 255.0 / 224
    let (b, r) = (Double(cb - 128) * scale, Double(cr - 128) * scale)
    let (red, blue) = (luma + 2 * (1 - kr) * r, luma + 2 * (1 - kb) * b)
    let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
    return [blue, green, red].map { min(max($0, 0), 255) }
  }

  @Test(
    "BGRA is what the standard that the layout names says, to a grey level",
    arguments: YCbCrRange.allCases, YCbCrMatrix.allCases)
  func formulas(range: YCbCrRange, matrix: YCbCrMatrix) throws {
    // One row of pairs of pixels: all steps of 15 in Y, of 17 in Cb and Cr.
    var (bytes, samples): ([UInt8], [(Int, Int, Int)]) = ([], [])
    for y in stride(from: 0, through: 255, by: 15) {
      for cb in stride(from: 0, through: 255, by: 17) {
        for cr in stride(from: 0, through: 255, by: 17) {
          bytes += [UInt8(y), UInt8(cb), UInt8(y), UInt8(cr)]
          samples.append((y, cb, cr))
        }
      }
    }
    let layout = try FrameLayout(
      format: .yuyv, width: 2 * samples.count, height: 1, range: range, matrix: matrix)
    let image = try bytes.withUnsafeBytes { try FrameConverter().bgraImage(of: $0, layout: layout) }
    for (index, (y, cb, cr)) in samples.enumerated() {
      for (channel, expected) in Self.bgr(y, cb, cr, range, matrix).enumerated() {
        let found = Double(image.pixels[8 * index + channel])
        #expect(abs(found - expected) < 1.1, "\(y) \(cb) \(cr), channel \(channel)")
      }
    }
  }

  @Test("The two standards differ in strong colours by tens of grey levels, and not in grey")
  func difference() throws {
    func pixel(_ bytes: [UInt8], _ matrix: YCbCrMatrix) throws -> [UInt8] {
      let layout = try FrameLayout(format: .yuyv, width: 2, height: 1, matrix: matrix)
      return Array(
        try bytes.withUnsafeBytes { try FrameConverter().bgraImage(of: $0, layout: layout) }
          .pixels.prefix(3))
    }
    #expect(try pixel([120, 128, 120, 128], .bt601) == pixel([120, 128, 120, 128], .bt709))
    let (a, b) = (try pixel([120, 60, 120, 200], .bt601), try pixel([120, 60, 120, 200], .bt709))
    #expect(zip(a, b).contains { abs(Int($0) - Int($1)) > 10 })
  }
}
