import Imaging
import Testing

/// Reads and writes stay inside what was given: a step beyond ends the test process.
struct FrameBoundsTests {
  private let converter = FrameConverter()

  @Test(arguments: FrameSample.rawFormats)
  func conversionsTouchNothingBeyondTheirBuffers(format: NativePixelFormat) throws {
    for width in Array(1...35) + [320] {
      for (height, padding) in [(1, 0), (2, 0), (3, 6)] {
        let tight = try FrameSample.layout(format, width, height)
        let layout = try FrameSample.layout(
          format, width, height, bytesPerRow: tight.bytesPerRow + padding)
        let frame = GuardedMemory(FrameSample.noise(layout.minimumByteCount))
        let source = UnsafeRawBufferPointer(frame.bytes)
        let gray = GuardedMemory(count: width * height)
        try converter.writeGray8(of: source, layout: layout, to: gray.bytes, bytesPerRow: width)
        // The gap after the last row is not part of the destination either.
        let bgra = GuardedMemory(count: (height - 1) * (4 * width + 12) + 4 * width)
        try converter.writeBGRA(
          of: source, layout: layout, to: bgra.bytes, bytesPerRow: 4 * width + 12)
      }
    }
  }

  @Test func jpegIsReadUpToItsLastByte() throws {
    for jpeg in [Sample.grayJPEG, Sample.jpeg(Sample.repeated(3), channels: 3)] {
      let frame = GuardedMemory(jpeg)
      let layout = try FrameSample.layout(.mjpg, Sample.width, Sample.height)
      let source = UnsafeRawBufferPointer(frame.bytes)
      let bgra = GuardedMemory(count: 4 * Sample.width * Sample.height)
      try converter.writeBGRA(
        of: source, layout: layout, to: bgra.bytes, bytesPerRow: 4 * Sample.width)
      #expect(try layout.completeFrame(in: source).count == jpeg.count)
      for count in 0..<jpeg.count {
        let cut = GuardedMemory(Array(jpeg[..<count]))
        let part = UnsafeRawBufferPointer(cut.bytes)
        #expect(throws: ImagingError.self) { try layout.completeFrame(in: part) }
        let gray = GuardedMemory(count: Sample.width * Sample.height)
        #expect(throws: ImagingError.self, "cut to \(count)") {
          try converter.writeGray8(
            of: part, layout: layout, to: gray.bytes, bytesPerRow: Sample.width)
        }
      }
    }
  }

  @Test("a frame one byte short is an error with both counts", arguments: FrameSample.rawFormats)
  func shortFrames(format: NativePixelFormat) throws {
    for (width, height) in [(1, 1), (5, 3), (16, 2), (640, 2)] {
      let layout = try FrameSample.layout(format, width, height)
      let needed = layout.minimumByteCount
      let frame = FrameSample.noise(needed + 5)
      try frame.withUnsafeBytes { bytes in
        for count in [0, needed / 2, needed - 1] {
          let part = UnsafeRawBufferPointer(rebasing: bytes[..<count])
          let error = #expect(throws: ImagingError.self) {
            try converter.bgraImage(of: part, layout: layout)
          }
          #expect(error?.code == .truncated)
          #expect(error?.message.contains("\(needed) bytes") == true)
          #expect(error?.message.contains("\(count) were found") == true)
          #expect(throws: ImagingError.self) { try layout.completeFrame(in: part) }
        }
        #expect(try layout.completeFrame(in: bytes).count == needed)
        _ = try converter.grayImage(of: bytes, layout: layout)
      }
    }
  }

  @Test func smallDestinationsAreErrors() throws {
    let layout = try FrameSample.layout(.yuyv, 10, 4)
    let frame = FrameSample.noise(layout.minimumByteCount)
    for (count, stride) in [(40, 9), (39, 10), (0, 10), (40, Int.max), (70, 21), (9, 10), (40, -1)]
    {
      let memory = GuardedMemory(count: count)
      let error = #expect(throws: ImagingError.self, "\(count) bytes, \(stride) a row") {
        try frame.withUnsafeBytes {
          try converter.writeGray8(of: $0, layout: layout, to: memory.bytes, bytesPerRow: stride)
        }
      }
      #expect(error?.code == .tooSmall)
    }
  }
}
