import Imaging
import Testing

/// Mixed landscape and portrait photographs must keep the sensor's own grid: a reader that turns
/// pictures by EXIF gives 12 px of error instead of 2 (pain 57).
struct ExifTests {
  @Test(arguments: 1...8, [false, true])
  func orientationIsReportedAndNeverApplied(orientation: Int, little: Bool) throws {
    let tiff = ExifSample.tiff(
      orientation: orientation, make: "ACME", model: "Eye 2", little: little)
    for picture in [
      ExifSample.jpeg(Sample.grayJPEG, tiff: tiff),
      ExifSample.png(Sample.grayPNG, tiff: tiff, atEnd: false),
      ExifSample.png(Sample.grayPNG, tiff: tiff, atEnd: true),
    ] {
      let header = try picture.header()
      #expect(header.orientation == orientation)
      #expect(header.make == "ACME" && header.model == "Eye 2")
      #expect((header.width, header.height) == (Sample.width, Sample.height))
      let image = try picture.decoded()
      #expect((image.width, image.height) == (Sample.width, Sample.height))
      #expect(largestDifference(image.pixels, Sample.gray) <= 3)
    }
  }

  @Test func namesAreMadeFitToPrint() {
    let tiff = ExifSample.tiff(
      // U+009B is the escape sequence's start in one character, U+202E turns the rest round.
      orientation: 0, make: "  A\u{1B}[31m\u{9B}\u{202E}  B\n", model: "é", little: true)
    let tags = ExifTags(tiff: tiff)
    #expect(tags.make == "A[31m B")
    #expect(tags.model == "é")  // stands in the entry itself: 3 bytes
    #expect(tags.orientation == nil)  // 0 is none of the eight
  }

  @Test func damageTakesNothingFromThePicture() throws {
    let tiff = ExifSample.tiff(orientation: 6, make: "ACME Co", model: "Eye 2", little: false)
    for count in 0..<tiff.count {
      let picture = ExifSample.jpeg(Sample.grayJPEG, tiff: Array(tiff[..<count]))
      #expect(try picture.decoded().width == Sample.width)
    }
  }
}
