import CalibrationStore
import CameraModel
import Frames
import Imaging
import TestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent, "needs the shared data"))
struct RealFoldersTests {
  /// All photographs are marked as turned; a reader that turns them sees 700x934 (pain 57).
  @Test func turnedPhotographsKeepTheSensorsGrid() throws {
    var source = try PhotographSource(paths: [SharedData.path("exif-rotated-wood-board")])
    #expect(source.resolution == Resolution(width: 934, height: 700))
    #expect(source.expectedCount == 12)
    #expect(source.identity.id.rawValue == "name:samsung-sm-m317f")
    #expect(source.notices.first?.contains("12 of 12") == true)
    let next = source.next()
    let image = try #require(next).grayImage()
    #expect(image.resolution == Resolution(width: 934, height: 700))
  }

  @Test func oddSizesAreListed() throws {
    let source = try PhotographSource(paths: [SharedData.path("carnd-720p")])
    #expect(source.expectedCount == 18)
    let expected = "is 1281x721, most are 1280x720; use --size 1281x721 to use these"
    #expect(source.setAside.filter { $0.reason == expected }.count == 2)
    let odd = try PhotographSource(
      paths: [SharedData.path("carnd-720p")], resolution: Resolution(width: 1281, height: 721))
    #expect(odd.expectedCount == 2)
  }

  @Test func damagedPicturesAreNeverGiven() throws {
    var source = try PhotographSource(
      paths: [SharedData.path("corrupt-files")], resolution: Resolution(width: 100, height: 100))
    var whole: [String] = []
    while let frame = source.next() {
      if (try? frame.grayImage()) != nil { whole.append(frame.name) }
    }
    #expect(whole == [SharedData.path("corrupt-files/pil_sample_cmyk.jpg")])
  }
}
