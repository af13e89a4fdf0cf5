import Imaging
import Testing

struct PNMTests {
  private func bytes(_ header: String, _ data: [UInt8] = []) -> [UInt8] {
    Array(header.utf8) + data
  }

  @Test func binaryGrayIsExact() throws {
    let image = try bytes("P5\n40 24\n255\n", Sample.gray).decoded()
    #expect(image.pixels == Sample.gray)
  }

  @Test func commentsAndAnyWhiteSpaceAreSkipped() throws {
    let pgm = bytes("P5 # a comment\n# another, 7 8\r\n40\t\n24 # size\n255 ", Sample.gray)
    #expect(try pgm.decoded().pixels == Sample.gray)
  }

  @Test func textAndBinaryAgree() throws {
    let text = bytes("P2\n3 2\n255\n0 10 20\n30 40\n\t255")
    #expect(try text.decoded().pixels == [0, 10, 20, 30, 40, 255])
    let color = bytes("P3 2 1 255  255 255 255  0 0 255\n")
    #expect(try color.decoded().pixels == [255, 29])
    #expect(try bytes("P6 2 1 255\n", [255, 255, 255, 0, 0, 255]).decoded().pixels == [255, 29])
  }

  @Test func oneIsBlackInBitmaps() throws {
    #expect(try bytes("P1\n3 2\n1 0 1\n010").decoded().pixels == [0, 255, 0, 255, 0, 255])
    let binary = bytes("P4 9 2\n", [0b1010_1010, 0b1000_0000, 0b0101_0101, 0])
    #expect(
      try binary.decoded().pixels == [
        0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255,
      ])
  }

  @Test func smallMaximumIsScaledToWhite() throws {
    #expect(try bytes("P5 3 1 100\n", [0, 50, 100]).decoded().pixels == [0, 128, 255])
  }

  @Test func sixteenBitsAreStretched() throws {
    let wide = Sample.gray.flatMap { [UInt8(4), $0] }  // 1024…1248 of 65535
    let image = try bytes("P5 40 24 65535\n", wide).decoded()
    #expect(image.pixels.min() == 0 && image.pixels.max() == 255)
    let color = Sample.gray.flatMap { [4, $0, 4, $0, 4, $0] as [UInt8] }
    #expect(try bytes("P6 40 24 4095\n", color).decoded().pixels == image.pixels)
  }

  @Test func oneValueEverywhereIsMidGray() throws {
    let flat = [UInt8](repeating: 3, count: 12)
    #expect(try bytes("P5 3 2 1000\n", flat).decoded().pixels == [UInt8](repeating: 128, count: 6))
  }

  @Test func hotPixelsDoNotDecideTheContrast() throws {
    // 2 of 4000 pixels at full brightness: the slope of the others still spans the range.
    var wide = (0..<4000).flatMap { [UInt8($0 / 40 + 50), 0] as [UInt8] }
    wide[0...1] = [255, 255]
    wide[2...3] = [255, 255]
    let image = try bytes("P5 80 50 65535\n", wide).decoded()
    #expect(Set(image.pixels).count > 80)
  }

  @Test(arguments: [
    "P2\n3 2\n255\n0 10 20\n30 40\n255\n", "P3 2 1 255  255 255 255  0 0 255\n",
    "P1\n3 2\n1 0 1\n0 1 0\n",
  ])
  func textCutBetweenNumbersIsAnError(text: String) throws {
    let pnm = bytes(text)
    _ = try pnm.decoded()
    // Within the last number a cut can't be told from a smaller number.
    for count in 0..<(pnm.count - 5) {
      #expect(throws: ImagingError.self) { try Array(pnm[..<count]).decoded() }
    }
  }

  @Test func binaryCutAnywhereIsAnError() {
    let pnm = bytes("P5\n40 24\n255\n", Sample.gray)
    for count in 0..<pnm.count {
      #expect(throws: ImagingError.self) { try Array(pnm[..<count]).decoded() }
    }
  }

  @Test(arguments: [
    ("P5 3 1 100\n\u{7F}\u{7F}\u{7F}", ImagingError.Code.corrupt), ("P2 1 1 9 10 ", .corrupt),
    ("P5 x 1 255\n", .corrupt), ("P5 0 1 255\n0", .corrupt), ("P5 1 1 0\n0", .corrupt),
    ("P5 1 1 70000\n0", .corrupt), ("P5 70000 1 255\n0", .tooLarge),
    ("P5 60000 60000 255\n0", .tooLarge), ("P5 99999999999999999999 1 255\n0", .tooLarge),
    ("P2 1 1 255 red", .corrupt), ("P5", .unsupportedFormat), ("P5 ", .truncated),
  ])
  func nonsenseIsAnErrorOfItsOwn(text: String, code: ImagingError.Code) {
    let error = #expect(throws: ImagingError.self) { try bytes(text).decoded() }
    #expect(error?.code == code, "\(String(describing: error))")
  }
}
