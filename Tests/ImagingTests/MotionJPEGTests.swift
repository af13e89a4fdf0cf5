import Imaging
import Testing

struct MotionJPEGTests {
  private let converter = FrameConverter()
  private let layout: FrameLayout
  /// A slope of colours.
  private static let colors = (0..<Sample.width * Sample.height).flatMap { index -> [UInt8] in
    let (x, y) = (index % Sample.width, index / Sample.width)
    return [UInt8(60 + 3 * x), UInt8(40 + 4 * y), UInt8(200 - 2 * x)]
  }
  private static let luma = stride(from: 0, to: colors.count, by: 3).map { at in
    let (red, green) = (Double(colors[at]), Double(colors[at + 1]))
    return UInt8((0.299 * red + 0.587 * green + 0.114 * Double(colors[at + 2])).rounded())
  }
  /// At quality 95 smooth slopes come back within this many levels; chroma that is stored once for
  /// four pixels within twice as many.
  private static let tolerance = 4

  init() throws { layout = try FrameSample.layout(.mjpg, Sample.width, Sample.height) }

  private func gray(_ frame: [UInt8]) throws -> [UInt8] {
    try frame.withUnsafeBytes { try converter.grayImage(of: $0, layout: layout).pixels }
  }

  @Test(arguments: [(1, 1), (2, 1), (2, 2), (1, 2), (4, 1)])
  func eachSamplingGivesGrayAndColor(across: Int, down: Int) throws {
    let frame = Sample.jpeg(Self.colors, channels: 3, sampling: (across, down))
    #expect(largestDifference(try gray(frame), Self.luma) <= Self.tolerance)
    let bgra = try frame.withUnsafeBytes { try converter.bgraImage(of: $0, layout: layout) }
    #expect(largestDifference(ColorImage(bgra).pixels, Self.colors) <= 2 * Self.tolerance)
    #expect(stride(from: 3, to: bgra.pixels.count, by: 4).allSatisfy { bgra.pixels[$0] == 255 })
    // The same as a picture's, to the bit: one decoder, one meaning of grey.
    #expect(try gray(frame) == frame.decoded().pixels)
  }

  @Test func oneComponentIsGray() throws {
    let bgra = try Sample.grayJPEG.withUnsafeBytes {
      try converter.bgraImage(of: $0, layout: layout)
    }
    let expected = try gray(Sample.grayJPEG).flatMap { [$0, $0, $0, 255] as [UInt8] }
    #expect(bgra.pixels == expected)
    #expect(largestDifference(try gray(Sample.grayJPEG), Sample.gray) <= Self.tolerance)
  }

  @Test func webcamsLeaveOutTheStandardHuffmanTables() throws {
    let whole = Sample.jpeg(Self.colors, channels: 3, sampling: (2, 1))
    let bare = whole.removing(marker: 0xC4)
    #expect(bare.count < whole.count - 400)
    #expect(try gray(bare) == gray(whole))
  }

  @Test("nothing of a frame serves the next one")
  func framesStandForThemselves() throws {
    let whole = Sample.jpeg(Self.colors, channels: 3, sampling: (2, 1))
    let expected = try gray(whole)
    let own = Sample.jpeg(Self.colors, channels: 3, sampling: (2, 1), ownTables: true)
    #expect(own.removing(marker: 0xC4).count != whole.removing(marker: 0xC4).count)
    for _ in 0..<3 {
      #expect(try gray(own) == expected)
      // Needs the standard tables, not those of the frame before.
      #expect(try gray(whole.removing(marker: 0xC4)) == expected)
      // Needs tables that it doesn't bring.
      #expect(throws: ImagingError.self) { try gray(own.removing(marker: 0xC4)) }
      let error = #expect(throws: ImagingError.self) { try gray(whole.removing(marker: 0xDB)) }
      #expect(error?.code == .corrupt)
      #expect(throws: ImagingError.self) { try gray(Array(whole[..<(whole.count / 2)])) }
    }
  }

  @Test(arguments: [false, true], [0, 1])
  func whatFollowsTheEndIsIgnored(progressive: Bool, restartRows: Int) throws {
    let frame = Sample.jpeg(
      Self.colors, channels: 3, progressive: progressive, restartRows: restartRows)
    let expected = try gray(frame)
    let zeros = [UInt8](repeating: 0, count: 5000)
    for junk in [zeros, [0xFF], frame, FrameSample.noise(100)] {
      #expect(try gray(frame + junk) == expected)
      let length = try (frame + junk).withUnsafeBytes { try layout.completeFrame(in: $0).count }
      #expect(length == frame.count)
    }
  }

  /// What libjpeg reads on after: a segment without content that says it has less than none, and bytes
  /// between segments.
  @Test(arguments: [[0xFF, 0xEE, 0, 0], [0xFF, 0xFF, 0xFF], [0, 0], [0xFF, 0x00]] as [[UInt8]])
  func oddBytesBetweenSegmentsHideNoEnd(bytes: [UInt8]) throws {
    let frame = Sample.jpeg(Self.colors, channels: 3)
    let odd = frame.inserting(bytes, at: 2)
    #expect(try gray(odd) == gray(frame))
    let length = try odd.withUnsafeBytes { try layout.completeFrame(in: $0).count }
    #expect(length == odd.count)
  }

  @Test(arguments: [false, true])
  func frameWithoutItsEndIsAnError(progressive: Bool) throws {
    let frame = Sample.jpeg(
      Self.colors, channels: 3, progressive: progressive, sampling: (2, 1))
    for count in 0..<frame.count {
      let cut = Array(frame[..<count])
      let error = #expect(throws: ImagingError.self, "cut to \(count)") { try gray(cut) }
      // Zeros after the cut, as in a buffer that is larger than the frame.
      #expect(throws: ImagingError.self) { try gray(cut + [UInt8](repeating: 0, count: 300)) }
      if count >= frame.count - 2 {
        #expect(error?.code == .truncated)
        #expect(error?.message.contains("\(count) bytes") == true)
      }
    }
  }

  @Test func anotherSizeIsAnErrorThatNamesBoth() throws {
    let other = try FrameSample.layout(.mjpg, Sample.width, 2 * Sample.height)
    let error = #expect(throws: ImagingError.self) {
      try Sample.grayJPEG.withUnsafeBytes { try converter.grayImage(of: $0, layout: other) }
    }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("40x24 pixels") == true)
    #expect(error?.message.contains("40x48") == true)
  }

  @Test func fourComponentsAreNotDecoded() {
    let pixels = [UInt8](repeating: 9, count: 4 * Sample.width * Sample.height)
    let error = #expect(throws: ImagingError.self) { try gray(Sample.jpeg(pixels, channels: 4)) }
    #expect(error?.code == .unsupportedFormat)
  }

  @Test func noiseIsNoFrame() throws {
    for seed in 0..<50 {
      let noise = FrameSample.noise(2000, seed: UInt64(seed))
      #expect(throws: ImagingError.self) { try gray(noise) }
      #expect(throws: ImagingError.self) { try gray([0xFF, 0xD8] + noise) }
      #expect(throws: ImagingError.self) {
        try noise.withUnsafeBytes { try layout.completeFrame(in: $0) }
      }
    }
    _ = try gray(Sample.grayJPEG)
  }

  @Test("a damaged byte gives an error or a picture, and the next frame is whole")
  func damageIsContained() throws {
    let frame = Sample.jpeg(Self.colors, channels: 3, sampling: (2, 1))
    let expected = try gray(frame)
    var errors = 0
    for index in frame.indices {
      var damaged = frame
      damaged[index] ^= 0x5A
      do { _ = try gray(damaged) } catch is ImagingError { errors += 1 }
      if index % 16 == 0 { #expect(try gray(frame) == expected) }
    }
    #expect(errors > 100, "headers are among the bytes")
    #expect(try gray(frame) == expected)
  }

  @Test func severalThreadsMayShareAConverter() async throws {
    let frame = Sample.jpeg(Self.colors, channels: 3)
    let expected = try gray(frame)
    let (converter, layout) = (converter, layout)
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<8 {
        group.addTask {
          try frame.withUnsafeBytes { try converter.grayImage(of: $0, layout: layout).pixels }
        }
      }
      for try await pixels in group { #expect(pixels == expected) }
    }
  }
}

extension [UInt8] {
  /// A JPEG without its segments of a kind.
  fileprivate func removing(marker: UInt8) -> [UInt8] {
    var result = Array(self[..<2])
    var at = 2
    while at + 4 <= count, self[at + 1] != 0xDA {
      let end = at + 2 + (Int(self[at + 2]) << 8 | Int(self[at + 3]))
      if self[at + 1] != marker { result += self[at..<end] }
      at = end
    }
    return result + self[at...]
  }
}
