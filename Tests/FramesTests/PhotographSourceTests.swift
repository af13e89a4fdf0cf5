import CalibrationStore
import CameraModel
import Foundation
import Frames
import Imaging
import Testing

struct PhotographSourceTests {
  let folder: PhotographFolder

  init() throws { folder = try PhotographFolder() }

  private func names(_ source: PhotographSource) -> [String] {
    var (source, names) = (source, [String]())
    while let frame = source.next() {
      names.append(String(frame.name.dropFirst(folder.path.utf8.count + 1)))
    }
    return names
  }

  private func failure(_ paths: [String], size: Resolution? = nil) -> FramesError? {
    #expect(throws: FramesError.self) { try PhotographSource(paths: paths, resolution: size) }
  }

  @Test func folderIsReadInNaturalOrder() throws {
    for name in ["img10.jpg", "img2.jpg", "img1.jpg", "img002.jpg", "b.jpg", "Z.jpg"] {
      try folder.add(name)
    }
    let source = try PhotographSource(paths: [folder.path])
    #expect(
      names(source) == ["Z.jpg", "b.jpg", "img1.jpg", "img002.jpg", "img2.jpg", "img10.jpg"])
    #expect(source.expectedCount == 6 && source.pixelFormat == "JPEG")
    #expect(source.resolution == Resolution(width: 32, height: 16))
  }

  @Test func framesDecodeOnAnyThread() throws {
    for index in 0..<8 { try folder.add("\(index).jpg") }
    var source = try PhotographSource(paths: [folder.path + "/"])
    var frames: [Frame] = []
    while let frame = source.next() { frames.append(frame) }
    #expect(frames.map(\.index) == Array(0..<8))
    let all = frames
    DispatchQueue.concurrentPerform(iterations: 64) { iteration in
      let image = try? all[iteration % 8].grayImage()
      #expect(image?.resolution == Resolution(width: 32, height: 16))
    }
  }

  @Test func otherFilesAreSetAsideWithTheReason() throws {
    try folder.add("a.jpg")
    try folder.add(".hidden.jpg")
    try folder.write(Array("notes".utf8), to: "SOURCE.md")
    try folder.write([], to: "empty.jpg")
    try folder.write([0xFF, 0xD8, 0xFF], to: "cut.jpg")
    try folder.add("inner/b.jpg")
    let loop = folder.path + "/loop.jpg"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    let dangling = folder.path + "/dangling.jpg"
    try FileManager.default.createSymbolicLink(
      atPath: dangling, withDestinationPath: folder.path + "/gone")
    let source = try PhotographSource(paths: [folder.path])
    #expect(names(source) == ["a.jpg"])
    let reasons = Dictionary(
      source.setAside.map { (String($0.source.dropFirst(folder.path.count + 1)), $0.reason) },
      uniquingKeysWith: { $0 + $1 })
    #expect(reasons[".hidden.jpg"]?.contains("hidden") == true)
    #expect(reasons["SOURCE.md"]?.contains("not a picture") == true)
    #expect(reasons["empty.jpg"]?.contains("empty") == true)
    #expect(reasons["cut.jpg"]?.contains("ends before") == true)
    #expect(reasons["inner"]?.contains("folder") == true)
    #expect(reasons["loop.jpg"]?.contains("back to itself") == true)
    #expect(reasons["dangling.jpg"]?.contains("no such file") == true)
    #expect(reasons.count == 7)
  }

  @Test func namesOfAnyBytesAreRead() throws {
    let odd = ["Захват центра.jpg", "a\nb.jpg", "-v.jpg", "sp ace.jpg", "%03d.jpg"]
    for name in odd { try folder.add(name) }
    var source = try PhotographSource(paths: [folder.path])
    var count = 0
    while let frame = source.next() {
      _ = try frame.grayImage()
      count += 1
    }
    #expect(count == odd.count)
  }

  @Test func nameThatIsNotUTF8IsSetAside() throws {
    let image = try folder.add("a.jpg")
    let bytes = Array((folder.path + "/b").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    try #require(link(image, bytes) == 0)
    try folder.add("c.jpg")
    let source = try PhotographSource(paths: [folder.path])
    #expect(names(source) == ["a.jpg", "c.jpg"])
    #expect(source.setAside.first?.reason.contains("UTF-8") == true)
  }

  @Test func fileIsUsedOnceHoweverItIsNamed() throws {
    let first = try folder.add("a.jpg")
    let other = folder.path + "/b.jpg"
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: first)
    let source = try PhotographSource(paths: [first, folder.path, first, other])
    #expect(names(source) == ["a.jpg"])
    #expect(source.setAside.contains { $0.source == other && $0.reason.contains("same file") })
  }

  @Test func patternsAreExpandedWhereNoFileHasTheName() throws {
    for name in ["img10.jpg", "img2.jpg", "other.jpg", "odd[1].jpg"] { try folder.add(name) }
    #expect(
      names(try PhotographSource(paths: [folder.path + "/img*.jpg"])) == ["img2.jpg", "img10.jpg"])
    #expect(names(try PhotographSource(paths: [folder.path + "/img?.jpg"])) == ["img2.jpg"])
    #expect(names(try PhotographSource(paths: [folder.path + "/odd[1].jpg"])) == ["odd[1].jpg"])
    let error = failure([folder.path + "/*.tif"])
    #expect(error?.code == .noMatch && error?.source == folder.path + "/*.tif")
  }

  @Test func missingSourceIsNamed() {
    let error = failure(["no-such-folder/a.jpg"])
    #expect(error?.code == .notFound && error?.source == "no-such-folder/a.jpg")
    #expect(failure([])?.code == .noSource)
    #expect(failure([""])?.code == .notFound)
  }

  @Test func emptyFolderAndFolderWithoutPhotographsAreToldApart() throws {
    #expect(failure([folder.path])?.code == .emptyFolder)
    try folder.write(Array("notes".utf8), to: "notes.txt")
    let error = failure([folder.path])
    #expect(error?.code == .noImages && error?.message.contains("notes.txt") == true)
    try folder.add("inner/a.jpg")
    for _ in 0..<2 {
      // With another file beside it, and alone.
      let message = failure([folder.path])?.message ?? ""
      #expect(message.contains("are not searched") && message.contains("/inner"), "\(message)")
      try? FileManager.default.removeItem(atPath: folder.path + "/notes.txt")
    }
  }

  @Test func camerasAreNotSupportedYet() {
    #expect(failure(["/dev/video0"])?.code == .liveCameraUnsupported)
    #expect(failure(["/dev/null"])?.code == .unreadable)
  }

  @Test(.disabled(if: getuid() == 0, "root may read everything"))
  func missingPermissionIsSaid() throws {
    let file = try folder.add("a.jpg")
    chmod(file, 0)
    #expect(failure([file])?.code == .permissionDenied)
    chmod(file, 0o600)
    chmod(folder.path, 0)
    #expect(failure([folder.path])?.code == .permissionDenied)
    chmod(folder.path, 0o700)
  }

  @Test func pictureThatChangesInBetweenIsAnError() throws {
    let path = try folder.add("a.jpg")
    var source = try PhotographSource(paths: [path])
    let next = source.next()
    let frame = try #require(next)
    try folder.add("a.jpg", width: 48, height: 16)
    let error = #expect(throws: FramesError.self) { try frame.grayImage() }
    #expect(error?.code == .changed)
  }
}
