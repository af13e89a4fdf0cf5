/// How a camera lays out the pixels of a frame: V4L2's four-character code.
///
/// Any code can be held; `isSupported` says whether frames of it can be converted here.
///
/// **Source:** Linux, `include/uapi/linux/videodev2.h` and the documentation of its image formats.
public struct NativePixelFormat: RawRepresentable, Sendable, Hashable {
  /// The code as V4L2 has it: the first character in the lowest byte.
  public var rawValue: UInt32

  /// Creates a format of that code.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Motion JPEG: each frame is a JPEG, often without Huffman tables.
  public static let mjpg = NativePixelFormat(code: "MJPG")
  /// JPEG: each frame is a whole JPEG file; treated as Motion JPEG.
  public static let jpeg = NativePixelFormat(code: "JPEG")
  /// Packed 4:2:2, bytes Y0 Cb Y1 Cr.
  public static let yuyv = NativePixelFormat(code: "YUYV")
  /// Packed 4:2:2, bytes Cb Y0 Cr Y1.
  public static let uyvy = NativePixelFormat(code: "UYVY")
  /// 4:2:0 in two planes: Y, then Cb and Cr in turn.
  public static let nv12 = NativePixelFormat(code: "NV12")
  /// 4:2:0 in three planes: Y, Cb, Cr.
  public static let yu12 = NativePixelFormat(code: "YU12")
  /// One byte of grey a pixel.
  public static let grey = NativePixelFormat(code: "GREY")
  /// Two bytes of grey a pixel, little-endian.
  public static let y16 = NativePixelFormat(code: "Y16 ")
  /// Three bytes a pixel: red, green, blue.
  public static let rgb24 = NativePixelFormat(code: "RGB3")
  /// Three bytes a pixel: blue, green, red.
  public static let bgr24 = NativePixelFormat(code: "BGR3")

  /// The formats that are converted here, in the order in which they are worth having: what the
  /// sensor gave without compression first.
  public static let supported: [NativePixelFormat] = [
    .yuyv, .uyvy, .nv12, .yu12, .grey, .y16, .rgb24, .bgr24, .mjpg, .jpeg,
  ]

  /// Whether frames of this format can be converted to grey and BGRA here.
  public var isSupported: Bool { Self.supported.contains(self) }

  /// Whether a frame is a JPEG, so that its size in bytes varies and it has no rows.
  public var isCompressed: Bool { self == .mjpg || self == .jpeg }

  /// Creates the format of a code of four ASCII characters.
  private init(code: StaticString) {
    rawValue = code.withUTF8Buffer { bytes in
      bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}

extension NativePixelFormat: LosslessStringConvertible {
  /// The bit by which V4L2 marks big-endian variants.
  private static let bigEndianBit: UInt32 = 1 << 31

  /// Reads a code of three or four visible characters, such as `YUYV` or `Y16`, with or without `-BE`.
  public init?(_ description: String) {
    var text = Substring(description)
    let isBigEndian = text.hasSuffix("-BE")
    if isBigEndian { text = text.dropLast(3) }
    var bytes = Array(text.utf8)
    guard (3...4).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    if bytes.count == 3 { bytes.append(UInt8(ascii: " ")) }
    rawValue = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    if isBigEndian { rawValue |= Self.bigEndianBit }
  }

  /// The code's characters without trailing blanks, such as `YUYV` or `Y16`; `-BE` is added for
  /// big-endian variants, and a code with characters that can't be shown is a hexadecimal number.
  public var description: String {
    let code = rawValue & ~Self.bigEndianBit
    var bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return "0x" + String(rawValue, radix: 16)
    }
    return String(decoding: bytes, as: UTF8.self) + (code == rawValue ? "" : "-BE")
  }
}
