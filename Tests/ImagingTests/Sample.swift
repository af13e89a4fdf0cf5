import ImageSamples
import Imaging

/// Small pictures in memory, of known pixels.
enum Sample {
  /// A smooth grey slope, 40x24: `4x + 3y`.
  static let width = 40
  static let height = 24
  static let gray = pixels { x, y in UInt8(4 * x + 3 * y) }

  static func pixels(_ value: (Int, Int) -> UInt8) -> [UInt8] {
    (0..<height).flatMap { y in (0..<width).map { x in value(x, y) } }
  }

  /// The grey slope, each value `channels` times.
  static func repeated(_ channels: Int) -> [UInt8] {
    gray.flatMap { [UInt8](repeating: $0, count: channels) }
  }

  /// A JPEG of `pixels` (channels: 1 grey, 3 RGB, 4 CMYK as Adobe stores it: inverted).
  static func jpeg(
    _ pixels: [UInt8], channels: Int, progressive: Bool = false, restartRows: Int = 0,
    sampling: (across: Int, down: Int) = (0, 0), ownTables: Bool = false
  ) -> [UInt8] {
    let options = samples_jpeg_options(
      channels: Int32(channels), progressive: progressive ? 1 : 0,
      restart_rows: Int32(restartRows), across: Int32(sampling.across),
      down: Int32(sampling.down), own_tables: ownTables ? 1 : 0)
    return output {
      samples_jpeg(pixels, UInt32(width), UInt32(height), options, $0, $1)
    }
  }

  /// The grey slope as a JPEG.
  static let grayJPEG = jpeg(gray, channels: 1)

  /// A PNG of rows as the file stores them.
  static func png(
    rows: [UInt8], colorType: Int, bitDepth: Int, interlaced: Bool = false, palette: [UInt8] = []
  ) -> [UInt8] {
    palette.withUnsafeBufferPointer { colors in
      let options = samples_png_options(
        color_type: Int32(colorType), bit_depth: Int32(bitDepth), interlaced: interlaced ? 1 : 0,
        palette: colors.baseAddress, palette_count: Int32(colors.count / 4))
      return output {
        samples_png(rows, rows.count / height, UInt32(width), UInt32(height), options, $0, $1)
      }
    }
  }

  /// The grey slope as a PNG.
  static let grayPNG = png(rows: gray, colorType: 0, bitDepth: 8)

  private static func output(_ body: (UnsafeMutablePointer<UInt8>, Int) -> Int) -> [UInt8] {
    let capacity = 1 << 16
    return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = buffer.baseAddress.map { body($0, capacity) } ?? 0
    }
  }
}

extension [UInt8] {
  /// Decodes the bytes.
  func decoded() throws(ImagingError) -> GrayImage {
    try ImageFile.grayImage(of: span.bytes, named: "sample")
  }

  /// Reads the header.
  func header() throws(ImagingError) -> ImageHeader {
    try ImageFile.header(of: span.bytes, named: "sample")
  }

  /// With `bytes` put in front of the byte at `index`.
  func inserting(_ bytes: [UInt8], at index: Int) -> [UInt8] {
    Array(self[..<index]) + bytes + Array(self[index...])
  }
}

/// The largest difference of two pictures' values.
func largestDifference(_ first: [UInt8], _ second: [UInt8]) -> Int {
  guard first.count == second.count else { return .max }
  return zip(first, second).map { abs(Int($0) - Int($1)) }.max() ?? 0
}

/// A seeded generator (SplitMix64), so that every run makes the same cases.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
