import Imaging
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
