/// The resolution in a PNG file (chunk pHYs, PNG specification 11.3.5.3), which image viewers and
/// word processors print by.
enum PNGResolution {
  /// The signature, and the header chunk with its length, type and checksum.
  private static let headerLength = 8 + 25

  /// The file with its resolution behind the header, rounded to whole pixels a metre.
  static func adding(_ pixelsPerMetre: Double, to file: [UInt8]) -> [UInt8] {
    let value = UInt32(min(max(pixelsPerMetre.rounded(), 1), 2_147_483_647))
    let content = Array("pHYs".utf8) + bytes(value) + bytes(value) + [1]
    let chunk = bytes(UInt32(content.count - 4)) + content + bytes(checksum(content))
    return Array(file.prefix(headerLength)) + chunk + Array(file.dropFirst(headerLength))
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// CRC-32 of ISO 3309, as PNG has it.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var remainder: UInt32 = 0xffff_ffff
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 {
        remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xedb8_8320 : remainder >> 1
      }
    }
    return ~remainder
  }
}
