import Imaging
import Testing

struct JPEGTests {
  /// At quality 95 a smooth slope comes back within 3 grey levels.
  private let tolerance = 3

  @Test(arguments: [false, true], [1, 3])
  func grayAndColorKeepTheirLuma(progressive: Bool, channels: Int) throws {
    let jpeg = Sample.jpeg(
      Sample.repeated(channels), channels: channels, progressive: progressive)
    let image = try jpeg.decoded()
    #expect((image.width, image.height) == (Sample.width, Sample.height))
    #expect(largestDifference(image.pixels, Sample.gray) <= tolerance)
  }

  @Test func colorBecomesLuma() throws {
    let red = Sample.gray.flatMap { _ in [200, 40, 80] as [UInt8] }
    let image = try Sample.jpeg(red, channels: 3).decoded()
    // 0.299·200 + 0.587·40 + 0.114·80
    #expect(largestDifference(image.pixels, Sample.gray.map { _ in 92 }) <= tolerance)
  }

  @Test(arguments: [false, true])
  func invertedCMYKIsReadAsAdobeWritesIt(progressive: Bool) throws {
    // No ink (255) in all but black, which holds the picture.
    let pixels = Sample.gray.flatMap { [255, 255, 255, $0] as [UInt8] }
    let image = try Sample.jpeg(pixels, channels: 4, progressive: progressive).decoded()
    #expect(largestDifference(image.pixels, Sample.gray) <= tolerance)
  }

  @Test(arguments: [(1, false), (1, true), (3, false), (3, true), (4, false)])
  func pictureCutAnywhereIsAnError(channels: Int, progressive: Bool) throws {
    let jpeg = Sample.jpeg(
      Sample.repeated(channels), channels: channels, progressive: progressive)
    _ = try jpeg.decoded()
    for count in 0..<jpeg.count {
      #expect(throws: ImagingError.self, "cut to \(count) of \(jpeg.count)") {
        try Array(jpeg[..<count]).decoded()
      }
    }
  }

  @Test func cutPictureSaysTruncated() {
    let jpeg = Sample.grayJPEG
    let error = #expect(throws: ImagingError.self) {
      try Array(jpeg[..<(jpeg.count - 2)]).decoded()
    }
    #expect(error?.code == .truncated)
  }

  @Test func firstPictureOfSeveralIsUsed() throws {
    let other = Sample.jpeg(Sample.gray.map { 255 - $0 }, channels: 1)
    let image = try (Sample.grayJPEG + other).decoded()
    #expect(largestDifference(image.pixels, Sample.gray) <= tolerance)
  }

  /// Webcams leave a byte or two in front of markers: the picture is whole.
  @Test func paddingInFrontOfMarkersIsHarmless() throws {
    let jpeg = Sample.jpeg(Sample.gray, channels: 1, restartRows: 1)
    let end = try jpeg.inserting([0, 0, 0, 0], at: jpeg.count - 2).decoded()
    #expect(largestDifference(end.pixels, Sample.gray) <= tolerance)
    let restart = try #require(firstRestart(of: jpeg))
    let padded = try jpeg.inserting([0], at: restart).decoded()
    #expect(largestDifference(padded.pixels, Sample.gray) <= tolerance)
  }

  @Test func muchDataInFrontOfARestartMarkerIsDamage() throws {
    let jpeg = Sample.jpeg(Sample.gray, channels: 1, restartRows: 1)
    let restart = try #require(firstRestart(of: jpeg))
    let error = #expect(throws: ImagingError.self) {
      try jpeg.inserting([UInt8](repeating: 0, count: 40), at: restart).decoded()
    }
    #expect(error?.code == .corrupt)
  }

  @Test func lostRestartIntervalIsDamage() throws {
    let jpeg = Sample.jpeg(Sample.gray, channels: 1, restartRows: 1)
    let restart = try #require(firstRestart(of: jpeg))
    var damaged = jpeg
    damaged.removeSubrange(restart - 10..<restart)
    #expect(throws: ImagingError.self) { try damaged.decoded() }
  }

  @Test func losslessKindIsNamedAsUnsupported() throws {
    var jpeg = Sample.grayJPEG
    let frame = try #require(
      jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    jpeg[frame + 1] = 0xC3
    let error = #expect(throws: ImagingError.self) { try jpeg.decoded() }
    #expect(error?.code == .unsupportedFormat)
  }

  @Test func forgedSizeTakesNoMemory() throws {
    var jpeg = Sample.grayJPEG
    let frame = try #require(
      jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x4E, 0x20, 0x4E, 0x20])  // 20000x20000
    #expect(#expect(throws: ImagingError.self) { try jpeg.decoded() }?.code == .truncated)
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(#expect(throws: ImagingError.self) { try jpeg.decoded() }?.code == .tooLarge)
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0, 0, 0, 8])
    #expect(#expect(throws: ImagingError.self) { try jpeg.decoded() }?.code == .corrupt)
  }

  private func firstRestart(of jpeg: [UInt8]) -> Int? {
    jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && (0xD0...0xD7).contains(jpeg[$0 + 1]) }
  }
}
