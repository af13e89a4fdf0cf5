@testable import Imaging

/// Headers of pictures, and the decoders.
func fuzzImages(_ bytes: [UInt8]) {
  decode(bytes)
  // No mutation hits upon a checksum, behind which the decoder proper begins.
  if let repaired = repairedPNG(bytes), repaired != bytes { decode(repaired) }
}

/// More pixels would test memory, not parsers.
private let mostPixels = 1 << 18

private func decode(_ bytes: [UInt8]) {
  do throws(ImagingError) {
    let header = try ImageFile.header(of: bytes.span.bytes, named: "input")
    require(header.width > 0 && header.height > 0, "a picture has pixels")
    check(orientation: header.orientation, texts: [header.make, header.model])
    guard header.width * header.height <= mostPixels else { return }
    let image = try ImageFile.grayImage(of: bytes.span.bytes, named: "input")
    require(
      image.width == header.width && image.height == header.height
        && image.pixels.count == header.width * header.height, "a picture is its header's size")
    // What was decoded can be written, and comes back.
    guard image.pixels.count <= 4096 else { return }
    let png = try image.pngData()
    let again = try ImageFile.grayImage(of: png.span.bytes, named: "again")
    require(again == image, "a PNG that was written is read")
  } catch {
    requirePrintable("\(error)")
    require(error.path == "input", "a PNG that was written is read: \(error)")
  }
}

/// The TIFF structure in which EXIF comes.
func fuzzEXIF(_ bytes: [UInt8]) {
  let tags = ExifTags(tiff: bytes)
  check(orientation: tags.orientation, texts: [tags.make, tags.model])
}

private func check(orientation: Int?, texts: [String?]) {
  require(orientation.map { (1...8).contains($0) } ?? true, "an orientation is 1 to 8")
  for text in texts.compactMap(\.self) { requirePrintable(text) }
}

/// The chunks of a PNG with their checksums put right; nil for anything else.
private func repairedPNG(_ bytes: [UInt8]) -> [UInt8]? {
  guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
  var bytes = bytes
  var offset = 8
  while offset + 12 <= bytes.count {
    let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    let end = offset + 8 + length
    guard end + 4 <= bytes.count else { break }
    let sum = checksum(bytes[offset + 4..<end])
    for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) }
    offset = end + 4
  }
  return bytes
}

/// CRC-32 as PNG has it (third edition, annex D).
private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
  ~bytes.reduce(0xFFFF_FFFF) { checksumTable[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
}

private let checksumTable: [UInt32] = (0..<256).map { index in
  (0..<8).reduce(UInt32(index)) { value, _ in
    value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
  }
}
