import CameraModel
import Frames
import Imaging
import Testing

struct SizeAndOrientationTests {
  let folder: PhotographFolder
  private let common = Resolution(width: 32, height: 16)

  init() throws { folder = try PhotographFolder() }

  @Test func mostFrequentSizeIsUsedAndTheRestIsListed() throws {
    try folder.add("a.jpg", width: 33, height: 17)
    for index in 0..<3 { try folder.add("b\(index).jpg") }
    let source = try PhotographSource(paths: [folder.path])
    #expect(source.resolution == common && source.expectedCount == 3)
    #expect(
      source.setAside.map(\.reason) == ["is 33x17, most are 32x16; use --size 33x17 to use these"])
    #expect(source.notices.isEmpty)
  }

  @Test func sizeCanBeAskedFor() throws {
    let odd = Resolution(width: 33, height: 17)
    try folder.add("a.jpg", width: 33, height: 17)
    for index in 0..<3 { try folder.add("b\(index).jpg") }
    let source = try PhotographSource(paths: [folder.path], resolution: odd)
    #expect(source.resolution == odd && source.expectedCount == 1)
    #expect(source.setAside.count == 3)
    let error = #expect(throws: FramesError.self) {
      try PhotographSource(paths: [folder.path], resolution: Resolution(width: 1, height: 1))
    }
    #expect(error?.code == .noSuchSize)
    #expect(error?.message.contains("3 of 32x16, 1 of 33x17") == true)
  }

  @Test func ofEquallyFrequentSizesTheLargerIsUsedAndItIsSaid() throws {
    try folder.add("a.jpg")
    try folder.add("b.jpg", width: 64, height: 16)
    let source = try PhotographSource(paths: [folder.path])
    #expect(source.resolution == Resolution(width: 64, height: 16))
    #expect(source.notices.first?.contains("equally frequent") == true)
    #expect(source.setAside.first?.reason.contains("most") == false)
  }

  /// Half the photographs marked as turned: all keep the sensor's grid and one size (pain 57).
  @Test func mixedOrientationsKeepOneSizeAndAreSaid() throws {
    for index in 0..<6 {
      let exif = PhotographFolder.exif(orientation: index % 2 == 0 ? 1 : 6)
      try folder.add("\(index).jpg", exif: exif)
    }
    var source = try PhotographSource(paths: [folder.path])
    #expect(source.resolution == common && source.expectedCount == 6)
    #expect(source.notices.count == 1)
    let notice = try #require(source.notices.first)
    #expect(notice.contains("3 of 6") && notice.contains("ignored"))
    #expect(notice.contains("3 of orientation 1, 3 of orientation 6"))
    while let frame = source.next() {
      #expect(try frame.grayImage().resolution == common)
    }
  }

  @Test func uprightPhotographsNeedNoNotice() throws {
    try folder.add("a.jpg", exif: PhotographFolder.exif(orientation: 1))
    try folder.add("b.jpg")
    #expect(try PhotographSource(paths: [folder.path]).notices.isEmpty)
  }
}
