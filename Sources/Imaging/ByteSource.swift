/// Bytes by position, of a file or of memory: what header parsers read, so that probing a large file
/// touches a few kilobytes.
enum ByteSource: ~Copyable {
  /// Memory that outlives the source.
  case memory(UnsafeRawBufferPointer)
  case file(RegularFile)

  /// The number of bytes.
  var count: Int {
    switch self {
    case .memory(let bytes): bytes.count
    case .file(let file): file.size
    }
  }

  /// The bytes from `offset` on: `count` of them, fewer where the source ends.
  func bytes(at offset: Int, count: Int) throws(ImagingError) -> [UInt8] {
    switch self {
    case .memory(let bytes):
      guard offset >= 0, offset < bytes.count, count > 0 else { return [] }
      return Array(bytes[offset..<offset + min(count, bytes.count - offset)])
    case .file(let file):
      guard offset >= 0, offset < file.size, count > 0 else { return [] }
      return try file.bytes(at: offset, count: min(count, file.size - offset))
    }
  }
}

extension [UInt8] {
  /// The big-endian 16-bit number at `offset`; nil where the bytes end before.
  func bigEndian16(at offset: Int) -> Int? {
    guard offset >= 0, offset + 2 <= count else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  /// The big-endian 32-bit number at `offset`; nil where the bytes end before.
  func bigEndian32(at offset: Int) -> Int? {
    guard let high = bigEndian16(at: offset), let low = bigEndian16(at: offset + 2) else {
      return nil
    }
    return high << 16 | low
  }
}
