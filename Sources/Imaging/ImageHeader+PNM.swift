/// The header of a portable any-map.
struct PNMHeader {
  /// 1…6: bits, grey or RGB, in text (1–3) or binary (4–6).
  var kind: Int
  var width: Int
  var height: Int
  /// The value of full brightness, 1…65535; 1 for bitmaps.
  var mostValue: Int
  /// Where the pixels begin.
  var dataOffset: Int

  /// The bytes in which a header must end; comments could make it any length.
  static let mostBytes = 1 << 16
}

extension PNMHeader {
  /// Reads the header at the start of `bytes`; nil where they end within it.
  ///
  /// **Source:** the netpbm manual pages pbm(5), pgm(5), ppm(5): numbers between white space, a
  /// comment from `#` to the end of its line, one white space before binary pixels.
  init?(startOf bytes: [UInt8], path: String) throws(ImagingError) {
    guard bytes.count > 2 else { return nil }
    kind = Int(bytes[1]) - Int(UInt8(ascii: "0"))
    var offset = 2
    var numbers: [Int] = []
    let isBitmap = kind == 1 || kind == 4
    while numbers.count < (isBitmap ? 2 : 3) {
      guard let number = try Self.number(bytes, &offset, path: path) else { return nil }
      numbers.append(number)
    }
    guard offset < bytes.count else { return nil }
    guard isPNMSpace(bytes[offset]) else {
      throw ImagingError(
        .corrupt, path: path,
        message: "the PNM's header is not followed by white space; the file is damaged")
    }
    width = numbers[0]
    height = numbers[1]
    mostValue = isBitmap ? 1 : numbers[2]
    dataOffset = offset + 1
    guard (1...65535).contains(mostValue) else {
      throw ImagingError(
        .corrupt, path: path,
        message: "the PNM's full brightness is \(mostValue); 1 to 65535 are possible")
    }
  }

  /// Skips white space and comments and reads a number; nil where the bytes end.
  private static func number(
    _ bytes: [UInt8], _ offset: inout Int, path: String
  ) throws(ImagingError) -> Int? {
    var isComment = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if isComment {
        isComment = byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r")
      } else if byte == UInt8(ascii: "#") {
        isComment = true
      } else if !isPNMSpace(byte) {
        break
      }
      offset += 1
    }
    var value = 0
    let start = offset
    while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) {
      // Saturates: any number this large is refused later, with its own message.
      value = min(value * 10 + Int(bytes[offset] - 0x30), 1 << 40)
      offset += 1
    }
    guard offset < bytes.count else { return nil }
    guard offset > start else {
      throw ImagingError(
        .corrupt, path: path, message: "the PNM's header holds no number where one must stand")
    }
    return value
  }
}

/// Whether a PNM takes `byte` for white space.
func isPNMSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || (0x09...0x0D).contains(byte)
}

extension ImageHeader {
  /// Reads a portable any-map's header.
  static func pnm(_ source: borrowing ByteSource, path: String) throws(ImagingError) -> ImageHeader
  {
    let header = try pnmHeader(try source.bytes(at: 0, count: PNMHeader.mostBytes), path: path)
    return ImageHeader(
      format: .pnm, width: header.width, height: header.height,
      bitsPerSample: header.mostValue > 255 ? 16 : 8)
  }

  /// Reads a portable any-map's header from the start of its file.
  static func pnmHeader(_ bytes: [UInt8], path: String) throws(ImagingError) -> PNMHeader {
    guard let header = try PNMHeader(startOf: bytes, path: path) else {
      throw ImagingError(
        .truncated, path: path, message: "the PNM ends within its header; copy it again")
    }
    return header
  }
}
