import CameraModel
import Imaging
import Testing

struct OrientationTests {
  /// A picture without symmetry, whose pixels all differ.
  private static let gray = GrayImage(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 6])

  /// By EXIF: where row 0 and column 0 of the stored picture are to be seen.
  @Test(
    arguments: [
      (.up, 3, [1, 2, 3, 4, 5, 6]), (.upMirrored, 3, [3, 2, 1, 6, 5, 4]),
      (.down, 3, [6, 5, 4, 3, 2, 1]), (.downMirrored, 3, [4, 5, 6, 1, 2, 3]),
      (.leftMirrored, 2, [1, 4, 2, 5, 3, 6]), (.right, 2, [4, 1, 5, 2, 6, 3]),
      (.rightMirrored, 2, [6, 3, 5, 2, 4, 1]), (.left, 2, [3, 6, 2, 5, 1, 4]),
    ] as [(ImageOrientation, Int, [UInt8])])
  func pixelsMove(orientation: ImageOrientation, width: Int, pixels: [UInt8]) {
    let turned = Self.gray.oriented(orientation)
    #expect(turned.width == width)
    #expect(turned.pixels == pixels)
    #expect(turned.oriented(orientation.inverse) == Self.gray)
    let color = ColorImage(
      width: 3, height: 2, pixels: Self.gray.pixels.flatMap { [$0, $0 + 10, $0 + 20] })
    #expect(color.oriented(orientation).pixels == pixels.flatMap { [$0, $0 + 10, $0 + 20] })
    let bgra = BGRAImage(
      width: 3, height: 2, pixels: Self.gray.pixels.flatMap { [$0, $0 + 10, $0 + 20, 255] })
    #expect(bgra.oriented(orientation).pixels == pixels.flatMap { [$0, $0 + 10, $0 + 20, 255] })
  }

  @Test("a pixel goes where the orientation says", arguments: ImageOrientation.allCases)
  func places(orientation: ImageOrientation) {
    // Larger than a tile, and not a multiple of one.
    let (width, height) = (150, 97)
    let image = GrayImage(width: width, height: height, pixels: FrameSample.noise(width * height))
    let turned = image.oriented(orientation)
    #expect(turned.resolution == image.resolution.oriented(orientation))
    var wrong = 0
    for y in 0..<height {
      for x in 0..<width {
        let place = orientation.place(of: SIMD2(Double(x), Double(y)), in: image.resolution)
        let index = Int(place.y) * turned.width + Int(place.x)
        if turned.pixels[index] != image.pixels[y * width + x] { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    for side in [(1, 1), (1, 5), (5, 1)] {
      let line = GrayImage(
        width: side.0, height: side.1, pixels: FrameSample.noise(side.0 * side.1))
      #expect(line.oriented(orientation).oriented(orientation.inverse) == line)
    }
  }

  @Test func rawValuesAreThoseOfEXIF() {
    #expect(ImageOrientation.allCases.map(\.rawValue) == Array(1...8))
    #expect(ImageOrientation(rawValue: 6) == .right)
    #expect(ImageOrientation(rawValue: 0) == nil)
  }
}
