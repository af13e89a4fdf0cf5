/// EXIF blocks, and pictures that carry them.
enum ExifSample {
  /// A TIFF structure with orientation, make and model.
  static func tiff(orientation: Int, make: String, model: String, little: Bool) -> [UInt8] {
    func number(_ value: Int, bytes: Int) -> [UInt8] {
      let big = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
      return little ? big.reversed() : big
    }
    let texts = [(0x010F, Array(make.utf8) + [0]), (0x0110, Array(model.utf8) + [0])]
    var entries: [[UInt8]] = []
    var data: [UInt8] = []
    let dataStart = 8 + 2 + 12 * 3 + 4
    for (tag, text) in texts {
      let head = number(tag, bytes: 2) + number(2, bytes: 2) + number(text.count, bytes: 4)
      if text.count <= 4 {
        entries.append(head + text + [UInt8](repeating: 0, count: 4 - text.count))
      } else {
        entries.append(head + number(dataStart + data.count, bytes: 4))
        data += text
      }
    }
    entries.append(
      number(0x0112, bytes: 2) + number(3, bytes: 2) + number(1, bytes: 4)
        + number(orientation, bytes: 2) + [0, 0])
    return (little ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, bytes: 2) + number(8, bytes: 4)
      + number(entries.count, bytes: 2) + entries.flatMap { $0 } + number(0, bytes: 4) + data
  }

  /// A JPEG with an EXIF segment right after its start.
  static func jpeg(_ jpeg: [UInt8], tiff: [UInt8]) -> [UInt8] {
    let content = Array("Exif\0\0".utf8) + tiff
    let length = content.count + 2
    return jpeg.inserting([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content, at: 2)
  }

  /// A PNG with an EXIF chunk, before the pixels or after them.
  static func png(_ png: [UInt8], tiff: [UInt8], atEnd: Bool) -> [UInt8] {
    png.inserting(chunk("eXIf", tiff), at: atEnd ? png.count - 12 : 33)
  }

  /// A PNG chunk with its checksum.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let covered = Array(name.utf8) + content
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in covered {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return number(UInt32(content.count)) + covered + number(~sum)
  }
}
