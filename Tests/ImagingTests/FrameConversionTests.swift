import CPixelKernels
import Imaging
import Testing

struct FrameConversionTests {
  private let converter = FrameConverter()

  /// All widths up to two blocks of vector code and more, so that each kind of remainder comes up.
  private static let widths = Array(1...37) + [64, 100]

  @Test(arguments: FrameSample.rawFormats, [0, 13])
  func grayIsTheLumaThatTheCameraStored(format: NativePixelFormat, padding: Int) throws {
    for width in Self.widths {
      let tight = try FrameSample.layout(format, width, 5)
      let layout = try FrameSample.layout(
        format, width, 5, bytesPerRow: tight.bytesPerRow + padding)
      let frame = FrameSample.noise(layout.minimumByteCount, seed: UInt64(width))
      let gray = try frame.withUnsafeBytes { try converter.grayImage(of: $0, layout: layout) }
      // RGB is rounded from 16.16 fixed point: off by one where the sum lies next to a half.
      let tolerance = format == .rgb24 || format == .bgr24 ? 1 : 0
      let expected = (0..<5).flatMap { y in
        (0..<width).map { x in FrameSample.gray(x, y, of: frame, layout) }
      }
      #expect(largestDifference(gray.pixels, expected) <= tolerance, "\(format) \(width)")
    }
  }

  @Test(arguments: FrameSample.colorFormats, YCbCrRange.allCases)
  func colorIsThatOfTheClosedForm(format: NativePixelFormat, range: YCbCrRange) throws {
    for width in Self.widths {
      for height in [1, 2, 5] {
        let tight = try FrameSample.layout(format, width, height)
        let layout = try FrameSample.layout(
          format, width, height, bytesPerRow: tight.bytesPerRow + width % 3 * 2, range: range)
        let frame = FrameSample.noise(layout.minimumByteCount, seed: UInt64(width))
        let bgra = try frame.withUnsafeBytes { try converter.bgraImage(of: $0, layout: layout) }
        var worst = 0.0
        for y in 0..<height {
          for x in 0..<width {
            let (cb, cr) = FrameSample.chroma(x, y, of: frame, layout)
            let expected = FrameSample.bgr(
              y: FrameSample.gray(x, y, of: frame, layout), cb: cb, cr: cr, range: range)
            let at = 4 * (y * width + x)
            for channel in 0..<3 {
              worst = max(worst, abs(Double(bgra.pixels[at + channel]) - expected[channel]))
            }
            if bgra.pixels[at + 3] != 255 { worst = .infinity }
          }
        }
        #expect(worst <= 1, "\(format) \(width)x\(height): off by \(worst)")
      }
    }
  }

  /// Every Y with Cb and Cr from end to end, through the vector code.
  @Test(arguments: YCbCrRange.allCases)
  func everyColorIsWithinOne(range: YCbCrRange) throws {
    // A row for each Cb, 256 pixels of Y 0…255; Cr from frame to frame.
    let layout = try FrameSample.layout(.nv12, 256, 2, range: range)
    var worst = 0.0
    for cb in stride(from: 0, through: 255, by: 15) {
      for cr in stride(from: 0, through: 255, by: 17) {
        let luma = (0..<512).map { UInt8($0 & 255) }
        let frame = luma + (0..<128).flatMap { _ in [UInt8(cb), UInt8(cr)] }
        let bgra = try frame.withUnsafeBytes { try converter.bgraImage(of: $0, layout: layout) }
        bgra.pixels.withUnsafeBufferPointer { pixels in
          for y in 0..<256 {
            let expected = FrameSample.bgr(
              y: UInt8(y), cb: UInt8(cb), cr: UInt8(cr), range: range)
            for channel in 0..<3 {
              worst = max(worst, abs(Double(pixels[4 * y + channel]) - expected[channel]))
            }
          }
        }
      }
    }
    // Half a level of rounding, and three products that are each cut at 1/32 of a level.
    #expect(worst <= 0.5 + 3.0 / 32, "off by \(worst)")
  }

  @Test(arguments: YCbCrRange.allCases)
  func blackWhiteAndGrayStayNeutral(range: YCbCrRange) throws {
    let layout = try FrameSample.layout(.yuyv, 256, 1, range: range)
    let frame = (0..<256).flatMap { y -> [UInt8] in [UInt8(y), 128] }
    let bgra = try frame.withUnsafeBytes { try converter.bgraImage(of: $0, layout: layout) }
    for y in 0..<256 {
      let pixel = bgra.pixels[(4 * y)..<(4 * y + 3)]
      #expect(Set(pixel).count == 1, "Y \(y): \(pixel)")
    }
    let (black, white) = range == .full ? (0, 255) : (16, 235)
    #expect(bgra.pixels[4 * black] == 0 && bgra.pixels[4 * white] == 255)
  }

  @Test(arguments: [NativePixelFormat.grey, .y16, .rgb24, .bgr24])
  func pixelsWithoutChromaAreCopied(format: NativePixelFormat) throws {
    for width in Self.widths {
      let layout = try FrameSample.layout(format, width, 3)
      let frame = FrameSample.noise(layout.minimumByteCount)
      let bgra = try frame.withUnsafeBytes { try converter.bgraImage(of: $0, layout: layout) }
      let expected: [UInt8] = (0..<3 * width).flatMap { index -> [UInt8] in
        switch format {
        case .grey: [frame[index], frame[index], frame[index], 255]
        case .y16: [frame[2 * index + 1], frame[2 * index + 1], frame[2 * index + 1], 255]
        case .rgb24: [frame[3 * index + 2], frame[3 * index + 1], frame[3 * index], 255]
        default: [frame[3 * index], frame[3 * index + 1], frame[3 * index + 2], 255]
        }
      }
      #expect(bgra.pixels == expected, "\(format) \(width)")
    }
  }

  @Test func sixteenBitsAreKept() throws {
    let layout = try FrameSample.layout(.y16, 7, 3, bytesPerRow: 20)
    let frame = FrameSample.noise(layout.minimumByteCount)
    var values = [UInt16](repeating: 0, count: 7 * 3)
    try values.withUnsafeMutableBytes { values in
      try frame.withUnsafeBytes {
        try converter.writeGray16(of: $0, layout: layout, to: values, bytesPerRow: 14)
      }
    }
    for y in 0..<3 {
      for x in 0..<7 {
        let (low, high) = (UInt16(frame[20 * y + 2 * x]), UInt16(frame[20 * y + 2 * x + 1]))
        #expect(UInt16(littleEndian: values[7 * y + x]) == high << 8 | low)
      }
    }
    let other = try FrameSample.layout(.grey, 7, 3)
    #expect(throws: ImagingError.self) {
      var values = [UInt8](repeating: 0, count: 42)
      try values.withUnsafeMutableBytes { values in
        try frame.withUnsafeBytes {
          try converter.writeGray16(of: $0, layout: other, to: values, bytesPerRow: 14)
        }
      }
    }
  }

  @Test("nothing is written between the rows of the destination", arguments: FrameSample.rawFormats)
  func gapsStay(format: NativePixelFormat) throws {
    let layout = try FrameSample.layout(format, 21, 4)
    let frame = FrameSample.noise(layout.minimumByteCount)
    var destination = [UInt8](repeating: 7, count: 4 * 100)
    try destination.withUnsafeMutableBytes { destination in
      try frame.withUnsafeBytes {
        try converter.writeBGRA(of: $0, layout: layout, to: destination, bytesPerRow: 100)
      }
    }
    for y in 0..<4 {
      #expect(destination[(100 * y + 84)..<(100 * y + 100)].allSatisfy { $0 == 7 })
      #expect(destination[100 * y + 83] == 255)
    }
  }

  @Test func vectorCodeIsCompiledIn() {
    #if arch(x86_64)
      #expect(String(cString: cpk_instruction_set()) == "SSE2")
    #elseif arch(arm64)
      #expect(String(cString: cpk_instruction_set()) == "NEON")
    #endif
  }
}
