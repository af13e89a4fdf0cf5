import Testing

@testable import Imaging

@Suite("Decoding that is given up")
struct CancellationTests {
  private static let image = GrayImage(
    width: 800, height: 1200,
    pixels: (0..<800 * 1200).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) })

  @Test(arguments: ["PNG", "JPEG"])
  func endsAtTheNextRows(format: String) throws {
    let bytes = try format == "PNG" ? Self.image.pngData() : Self.image.jpegData()
    var asked = 0
    #expect {
      try DecodingCancellation.withCheck {
        asked += 1
        return asked > 3
      } _: {
        _ = try ImageFile.grayImage(of: bytes.span.bytes, named: "picture")
      }
    } throws: {
      ($0 as? ImagingError)?.code == .cancelled
    }
    #expect(asked == 4)
    // The check is gone afterwards.
    #expect(try ImageFile.grayImage(of: bytes.span.bytes, named: "picture").height == 1200)
    #expect(asked == 4)
  }
}
