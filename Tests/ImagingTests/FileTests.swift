import Foundation
import Imaging
import Testing

struct FileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func code(_ path: String) -> ImagingError.Code? {
    #expect(throws: ImagingError.self) { try ImageFile.header(ofFileAt: path) }
    return #expect(throws: ImagingError.self) { try ImageFile.grayImage(ofFileAt: path) }?.code
  }

  @Test func contentDecidesTheFormatNotTheName() throws {
    let path = try folder.write(Sample.grayPNG, to: "really-a-png.jpg")
    #expect(try ImageFile.header(ofFileAt: path).format == .png)
    #expect(try ImageFile.grayImage(ofFileAt: path).pixels == Sample.gray)
  }

  @Test func whatIsNoFileIsNeverWaitedFor() throws {
    let pipe = folder.path + "/pipe.jpg"
    try #require(mkfifo(pipe, 0o600) == 0)
    #expect(code(pipe) == .notARegularFile)
    #expect(code(folder.path) == .notARegularFile)
    #expect(code("/dev/zero") == .notARegularFile)
  }

  @Test func eachObstacleHasItsCode() throws {
    #expect(code(folder.path + "/missing.jpg") == .notFound)
    #expect(code(try folder.write([], to: "empty.jpg")) == .empty)
    #expect(
      code(try folder.write(Array("hello, world".utf8), to: "text.png")) == .unsupportedFormat)
    let loop = folder.path + "/loop.jpg"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    #expect(code(loop) == .notFound)
    let video: [UInt8] = [0, 0, 0, 0x20] + Array("ftypisom".utf8)
    #expect(code(try folder.write(video, to: "video.jpg")) == .unsupportedFormat)
    #expect(code(String(repeating: "x", count: 5000)) == .notFound)
  }

  @Test(.disabled(if: getuid() == 0, "root may read everything"))
  func missingPermissionIsSaid() throws {
    let path = try folder.write(Sample.grayJPEG, to: "secret.jpg")
    chmod(path, 0)
    #expect(code(path) == .permissionDenied)
  }

  @Test func messageStaysOnOneLine() throws {
    let error = #expect(throws: ImagingError.self) {
      try ImageFile.header(ofFileAt: "a\nb\u{1B}[2J\u{202E}é.jpg")
    }
    #expect(error?.description.hasPrefix("a\\nb\\u{1B}[2J\\u{202E}é.jpg: ") == true)
  }

  @Test func writtenPictureReadsBack() throws {
    let image = GrayImage(width: Sample.width, height: Sample.height, pixels: Sample.gray)
    let path = folder.path + "/ä\nb.png"
    try image.writePNG(toFileAt: path)
    #expect(try ImageFile.grayImage(ofFileAt: path) == image)
    try ColorImage(image).writePNG(toFileAt: path)  // takes the place of the first
    #expect(try ImageFile.grayImage(ofFileAt: path) == image)
    try image.writeJPEG(toFileAt: folder.path + "/b.jpg", quality: 95)
    try ColorImage(image).writeJPEG(toFileAt: folder.path + "/c.jpg", quality: 80)
    let back = try ImageFile.grayImage(ofFileAt: folder.path + "/c.jpg")
    #expect(largestDifference(back.pixels, Sample.gray) <= 8)  // quality 80 on a smooth slope
    #expect(try folder.entries == ["b.jpg", "c.jpg", "ä\nb.png"])
  }

  @Test func pictureThatCannotBeWrittenLeavesNothing() throws {
    let image = GrayImage(width: 1, height: 1, pixels: [7])
    let error = #expect(throws: ImagingError.self) {
      try image.writePNG(toFileAt: folder.path + "/no/such/folder.png")
    }
    #expect(error?.code == .notWritable)
    let occupied = folder.path + "/occupied"
    try FileManager.default.createDirectory(atPath: occupied, withIntermediateDirectories: false)
    #expect(throws: ImagingError.self) { try image.writePNG(toFileAt: occupied) }
    #expect(try folder.entries == ["occupied"])
  }
}
