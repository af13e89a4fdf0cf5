import Imaging
import Testing

struct PNGTests {
  @Test(arguments: [false, true])
  func grayIsExact(interlaced: Bool) throws {
    let png = Sample.png(rows: Sample.gray, colorType: 0, bitDepth: 8, interlaced: interlaced)
    #expect(try png.decoded().pixels == Sample.gray)
  }

  @Test(arguments: [false, true])
  func colorBecomesLuma(interlaced: Bool) throws {
    let rows = Sample.gray.flatMap { [$0, 255 - $0, 80] as [UInt8] }
    let expected = Sample.gray.map { value -> UInt8 in
      let (red, green) = (Double(value), Double(255 - value))
      let luma: Double = 0.299 * red + 0.587 * green + 0.114 * 80
      return UInt8(luma.rounded())
    }
    let image = try Sample.png(
      rows: rows, colorType: 2, bitDepth: 8, interlaced: interlaced
    ).decoded()
    // The fixed-point weights differ from the decimal ones by 1e-5: rounding may tip over.
    #expect(largestDifference(image.pixels, expected) <= 1)
  }

  @Test(arguments: [false, true])
  func transparencyShowsWhite(interlaced: Bool) throws {
    let rows = Sample.gray.flatMap { [0, $0] as [UInt8] }  // black, of growing opacity
    let image = try Sample.png(
      rows: rows, colorType: 4, bitDepth: 8, interlaced: interlaced
    ).decoded()
    #expect(image.pixels == Sample.gray.map { 255 - $0 })
    let color = Sample.gray.flatMap { [0, 0, 0, $0] as [UInt8] }
    let colored = try Sample.png(rows: color, colorType: 6, bitDepth: 8).decoded()
    #expect(colored.pixels == image.pixels)
  }

  @Test(arguments: [1, 2, 4, 8], [false, true])
  func paletteIsLookedUp(bitDepth: Int, interlaced: Bool) throws {
    let colors = 1 << bitDepth
    let palette = (0..<colors).flatMap { index -> [UInt8] in
      let gray = UInt8(index * 255 / (colors - 1))
      return [gray, gray, gray, index == 0 ? 0 : 255]
    }
    let indices = Sample.pixels { x, y in UInt8((x + y) % colors) }
    let image = try Sample.png(
      rows: packed(indices, bits: bitDepth), colorType: 3, bitDepth: bitDepth,
      interlaced: interlaced, palette: palette
    ).decoded()
    // Entry 0 is transparent black: white.
    let expected = indices.map { $0 == 0 ? 255 : UInt8(Int($0) * 255 / (colors - 1)) }
    #expect(image.pixels == expected)
  }

  @Test(arguments: [1, 2, 4])
  func fewBitsSpanBlackToWhite(bitDepth: Int) throws {
    let most = 1 << bitDepth - 1
    let values = Sample.pixels { x, y in UInt8((x + y) % (most + 1)) }
    let image = try Sample.png(
      rows: packed(values, bits: bitDepth), colorType: 0, bitDepth: bitDepth
    ).decoded()
    #expect(image.pixels == values.map { UInt8(Int($0) * 255 / most) })
  }

  @Test(arguments: [0, 2, 4, 6], [false, true])
  func sixteenBitsAreStretched(colorType: Int, interlaced: Bool) throws {
    // A tenth of the range, as of a 12-bit camera: stretched it spans black to white.
    let channels = [0: 1, 2: 3, 4: 2, 6: 4][colorType] ?? 1
    let hasAlpha = colorType >= 4
    let rows = Sample.gray.flatMap { value in
      (0..<channels).flatMap { channel -> [UInt8] in
        if hasAlpha && channel == channels - 1 { return [255, 255] }
        let wide = 5000 + Int(value) * 25
        return [UInt8(wide >> 8), UInt8(wide & 255)]
      }
    }
    let png = Sample.png(
      rows: rows, colorType: colorType, bitDepth: 16, interlaced: interlaced)
    let image = try png.decoded()
    let most = Int(Sample.gray.max() ?? 0)
    let expected = Sample.gray.map { UInt8((Int($0) * 255 + most / 2) / most) }
    #expect(largestDifference(image.pixels, expected) <= 1)
    #expect(image.pixels.min() == 0 && image.pixels.max() == 255)
    #expect(try png.header().bitsPerSample == 16)
  }

  @Test(arguments: [false, true])
  func pictureCutAnywhereIsAnError(interlaced: Bool) throws {
    let png = Sample.png(rows: Sample.gray, colorType: 0, bitDepth: 8, interlaced: interlaced)
    for count in 0..<png.count {
      #expect(throws: ImagingError.self, "cut to \(count) of \(png.count)") {
        try Array(png[..<count]).decoded()
      }
    }
  }

  @Test func cutPictureSaysTruncated() {
    for missing in [1, 12, 40] {
      let png = Sample.grayPNG
      let error = #expect(throws: ImagingError.self) {
        try Array(png[..<(png.count - missing)]).decoded()
      }
      #expect(error?.code == .truncated)
    }
  }

  @Test func wrongChecksumIsDamage() {
    for index in stride(from: 16, to: Sample.grayPNG.count, by: 7) {
      var png = Sample.grayPNG
      png[index] ^= 0x10
      #expect(throws: ImagingError.self, "byte \(index)") { try png.decoded() }
    }
  }

  @Test func forgedSizeTakesNoMemory() {
    let header: [UInt8] = [0, 0, 0x4E, 0x20, 0, 0, 0x4E, 0x20, 8, 0, 0, 0, 0]  // 20000x20000
    let start = Array(Sample.grayPNG[..<8]) + ExifSample.chunk("IHDR", header)
    let png = start + Array(Sample.grayPNG[33...])
    #expect(#expect(throws: ImagingError.self) { try png.decoded() }?.code == .truncated)
    let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 8, 0, 0, 0, 0]
    let hugePNG = Array(Sample.grayPNG[..<8]) + ExifSample.chunk("IHDR", huge)
    #expect(#expect(throws: ImagingError.self) { try hugePNG.header() }?.code == .tooLarge)
  }

  /// Rows of `bits` bits a value, each row from a fresh byte.
  private func packed(_ values: [UInt8], bits: Int) -> [UInt8] {
    stride(from: 0, to: values.count, by: Sample.width).flatMap { start in
      let row = values[start..<start + Sample.width]
      let perByte = 8 / bits
      return stride(from: row.startIndex, to: row.endIndex, by: perByte).map { first in
        (0..<perByte).reduce(UInt8(0)) { byte, index in
          let value = first + index < row.endIndex ? row[first + index] : 0
          return byte | value << UInt8(8 - bits * (index + 1))
        }
      }
    }
  }
}
