import CameraModel
import Imaging
import Testing

struct ResizingTests {
  /// The mean of the area that each pixel covers, sampled finely enough to be exact.
  private func reference(_ image: GrayImage, _ size: Resolution) -> [Double] {
    (0..<size.width * size.height).map { index in
      let (x, y) = (index % size.width, index / size.width)
      var sum = 0.0
      // An input pixel is size.width samples wide, an output pixel image.width.
      for v in y * image.height..<(y + 1) * image.height {
        for u in x * image.width..<(x + 1) * image.width {
          sum += Double(image.pixels[v / size.height * image.width + u / size.width])
        }
      }
      return sum / Double(image.width * image.height)
    }
  }

  @Test(arguments: [(5, 7), (20, 12), (10, 6), (1, 1), (33, 9), (40, 25), (39, 23)])
  func pixelsAreMeansOfAreas(width: Int, height: Int) throws {
    let image = GrayImage(width: 20, height: 12, pixels: FrameSample.noise(240))
    let size = Resolution(width: width, height: height)
    let resized = try image.resized(to: size)
    #expect(resized.resolution == size)
    for (found, expected) in zip(resized.pixels, reference(image, size)) {
      #expect(abs(Double(found) - expected) <= 0.5 + 1e-9)
    }
  }

  @Test func channelsAreResizedApart() throws {
    let planes = (0..<4).map { FrameSample.noise(20 * 12, seed: UInt64($0 + 5)) }
    let size = Resolution(width: 13, height: 5)
    let small = try planes.map {
      try GrayImage(width: 20, height: 12, pixels: $0).resized(to: size).pixels
    }
    func interleaved(_ planes: ArraySlice<[UInt8]>) -> [UInt8] {
      (planes.first ?? []).indices.flatMap { index in planes.map { $0[index] } }
    }
    let bgra = BGRAImage(width: 20, height: 12, pixels: interleaved(planes[...]))
    #expect(try bgra.resized(to: size).pixels == interleaved(small[...]))
    let color = ColorImage(width: 20, height: 12, pixels: interleaved(planes[..<3]))
    #expect(try color.resized(to: size).pixels == interleaved(small[..<3]))
  }

  @Test func largestSidesDoNotOverflow() throws {
    let image = GrayImage(width: 65535, height: 2, pixels: [UInt8](repeating: 255, count: 131070))
    #expect(try image.resized(to: Resolution(width: 3, height: 1)).pixels == [255, 255, 255])
    for size in [(0, 1), (1, 65536), (-1, 1), (65535, 65535)] {
      #expect(throws: ImagingError.self) {
        try image.resized(to: Resolution(width: size.0, height: size.1))
      }
    }
  }

  @Test func cropsKeepTheirPixels() throws {
    let image = BGRAImage(width: 20, height: 12, pixels: FrameSample.noise(960))
    let crop = try image.cropped(x: 3, y: 2, width: 5, height: 4)
    #expect(crop.resolution == Resolution(width: 5, height: 4))
    for y in 0..<4 {
      let start = 4 * ((y + 2) * 20 + 3)
      #expect(Array(crop.pixels[20 * y..<20 * y + 20]) == Array(image.pixels[start..<start + 20]))
    }
    #expect(try image.cropped(x: 0, y: 0, width: 20, height: 12) == image)
    for (x, y, width, height) in [
      (-1, 0, 5, 5), (16, 0, 5, 5), (0, 8, 5, 5), (0, 0, 0, 5), (.max, 0, 1, 1),
    ] {
      #expect(throws: ImagingError.self) {
        try image.cropped(x: x, y: y, width: width, height: height)
      }
    }
  }

  @Test func memoryWithGapsIsCopiedOrRefused() throws {
    let bytes = FrameSample.noise(3 * 50)
    try bytes.withUnsafeBytes { bytes in
      let whole = UnsafeRawBufferPointer(rebasing: bytes[..<140])
      let image = try BGRAImage(copying: whole, width: 10, height: 3, bytesPerRow: 50)
      #expect(image.pixels == [0, 50, 100].flatMap { Array(bytes[$0..<$0 + 40]) })
      let gray = try GrayImage(copying: bytes, width: 7, height: 3, bytesPerRow: 50)
      #expect(gray.pixels == [0, 50, 100].flatMap { Array(bytes[$0..<$0 + 7]) })
      let short = UnsafeRawBufferPointer(rebasing: bytes[..<139])
      for (width, height, stride) in [(10, 3, 50), (10, 3, 39), (0, 3, 50), (10, .max, 50)] {
        #expect(throws: ImagingError.self) {
          try BGRAImage(copying: short, width: width, height: height, bytesPerRow: stride)
        }
      }
    }
  }

  @Test func bgraIsWrittenAsItsColors() throws {
    let bgra = BGRAImage(width: 20, height: 12, pixels: FrameSample.noise(960))
    let color = ColorImage(bgra)
    #expect(color.pixels[0..<3] == [bgra.pixels[2], bgra.pixels[1], bgra.pixels[0]])
    #expect(try bgra.pngData() == color.pngData())
    #expect(try bgra.jpegData() == color.jpegData())
    #expect(try bgra.jpegData(quality: 50) == color.jpegData(quality: 50))
  }
}
