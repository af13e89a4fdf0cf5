/// What a file's first bytes say that it holds; its name plays no part.
public enum ImageFormat: Sendable, Hashable {
  /// JPEG, decoded in the process.
  case jpeg
  /// PNG, decoded in the process.
  case png
  /// Portable any-map, P1 to P6, decoded in the process.
  case pnm
  /// A format of that name which the `ffmpeg` program decodes.
  case other(String)
}

extension ImageFormat: CustomStringConvertible {
  /// The format's usual name, for example `JPEG`.
  public var description: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .pnm: "PNM"
    case .other(let name): name
    }
  }
}

/// What kind of source a file's first bytes announce.
package enum ContentKind: Sendable, Hashable {
  /// A still picture.
  case image(ImageFormat)
  /// A video in a container of that name.
  case video(String)
  /// Nothing known.
  case unknown

  /// The bytes at the start of a file that `init(startOf:)` needs at most.
  package static let neededBytes = 400

  /// Recognises the content by its magic numbers.
  package init(startOf bytes: [UInt8]) {
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
      text.withUTF8Buffer { magic in
        offset + magic.count <= bytes.count
          && bytes[offset..<offset + magic.count].elementsEqual(magic)
      }
    }
    func has(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      offset + magic.count <= bytes.count
        && bytes[offset..<offset + magic.count].elementsEqual(magic)
    }
    let isPNM =
      bytes.count >= 3 && bytes[0] == UInt8(ascii: "P")
      && (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(bytes[1])
      && (isPNMSpace(bytes[2]) || bytes[2] == UInt8(ascii: "#"))
    if has([0xFF, 0xD8, 0xFF]) {
      self = .image(.jpeg)
    } else if has([0x89, 0x50, 0x4E, 0x47]) {
      // The whole signature is checked by the parser, which can say what is wrong with it.
      self = .image(.png)
    } else if isPNM {
      self = .image(.pnm)
    } else if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A])
      || has([0x49, 0x49, 0x2B, 0]) || has([0x4D, 0x4D, 0, 0x2B])
    {
      self = .image(.other("TIFF"))
    } else if has("RIFF") && has("WEBP", at: 8) {
      self = .image(.other("WebP"))
    } else if has("BM") && has([0, 0, 0, 0], at: 6) && bytes.count > 17 && bytes[15] == 0 {
      // Two letters are weak: the four reserved bytes and the header's size (< 256) confirm them.
      self = .image(.other("BMP"))
    } else if has("GIF87a") || has("GIF89a") {
      self = .image(.other("GIF"))
    } else if has([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || has([0xFF, 0x4F, 0xFF, 0x51]) {
      self = .image(.other("JPEG 2000"))
    } else if has([0xFF, 0x0A]) || has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) {
      self = .image(.other("JPEG XL"))
    } else if has([0x76, 0x2F, 0x31, 0x01]) {
      self = .image(.other("OpenEXR"))
    } else if has("8BPS") {
      self = .image(.other("Photoshop"))
    } else if has("P7\n") {
      self = .image(.other("PAM"))
    } else if has("qoif") {
      self = .image(.other("QOI"))
    } else if has("ftyp", at: 4) {
      let still = ["heic", "heix", "heim", "heis", "mif1", "avif"] as [StaticString]
      if still.contains(where: { has($0, at: 8) }) {
        self = .image(.other(has("avif", at: 8) ? "AVIF" : "HEIC"))
      } else {
        self = .video("MP4/QuickTime")
      }
    } else if has("moov", at: 4) || has("mdat", at: 4) {
      self = .video("QuickTime")
    } else if has([0x1A, 0x45, 0xDF, 0xA3]) {
      self = .video("Matroska/WebM")
    } else if has("RIFF") && has("AVI ", at: 8) {
      self = .video("AVI")
    } else if has("FLV\u{01}") {
      self = .video("FLV")
    } else if has("OggS") {
      self = .video("Ogg")
    } else if has([0, 0, 1, 0xBA]) || has([0, 0, 1, 0xB3]) {
      self = .video("MPEG")
    } else if has([0x47]) && has([0x47], at: 188) {
      self = .video("MPEG transport stream")
    } else if has([0x30, 0x26, 0xB2, 0x75]) {
      self = .video("ASF/WMV")
    } else if has("YUV4MPEG2 ") {
      self = .video("YUV4MPEG2")
    } else {
      self = .unknown
    }
  }

  /// Recognises the content of the file at `path`.
  package init(ofFileAt path: String) throws(ImagingError) {
    let file = try RegularFile(path: path)
    self.init(startOf: try file.bytes(at: 0, count: Self.neededBytes))
  }
}
