import Imaging
import TestSupport
import Testing

/// Damaged and unusual files from other projects' test suites.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared data"))
struct RealFilesTests {
  @Test(arguments: [
    ("truncated.jpg", ImagingError.Code.truncated),
    ("truncated_jpeg.jpg", .truncated),
    ("corrupt-header.jpg", .truncated),
    ("truncated.png", .truncated),
    ("truncated_image.png", .truncated),
    ("broken.png", .corrupt),
    ("broken_data_stream.png", .corrupt),
    ("SOURCE.md", .unsupportedFormat),
  ])
  func damagedFileIsAnErrorOfItsOwn(name: String, code: ImagingError.Code) {
    let path = SharedData.path("corrupt-files/" + name)
    let error = #expect(throws: ImagingError.self) { try ImageFile.grayImage(ofFileAt: path) }
    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.path == path)
  }

  @Test(arguments: [
    ("pil_sample_cmyk.jpg", 100, 100), ("Flag_of_the_Netherlands-16bit.png", 900, 600),
    ("sugarshack_bad_mpo_header.jpg", 640, 480),
  ])
  func unusualFileIsRead(name: String, width: Int, height: Int) throws {
    let path = SharedData.path("corrupt-files/" + name)
    let header = try ImageFile.header(ofFileAt: path)
    let image = try ImageFile.grayImage(ofFileAt: path)
    #expect((header.width, header.height) == (width, height))
    #expect((image.width, image.height) == (width, height))
    #expect(Set(image.pixels).count > 2)
  }
}

/// A thermal camera's 16-bit pictures.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared data"))
struct ThermalPicturesTests {
  @Test(arguments: ["29", "44", "62", "66", "68", "75"])
  func pictureUsesTheWholeRangeOfGrays(number: String) throws {
    let path = SharedData.path("thermal-16bit-vga/0000000\(number).pgm")
    let pixels = try ImageFile.grayImage(ofFileAt: path).pixels
    let dark = pixels.count { $0 < 10 }
    let bright = pixels.count { $0 > 220 }
    #expect(dark > pixels.count / 100 && bright > pixels.count / 100)
    // A tenth of a percent at either end may be clipped, and little more is.
    #expect(Set(pixels).count > 250)
  }
}
