/// What an EXIF block says of a picture's camera and of how to hold it.
///
/// **Source:** CIPA DC-008 (Exif 2.32), section 4.6: a TIFF structure, of whose first directory three
/// tags are read. Damage in EXIF takes nothing from the picture: what can't be read is nil.
package struct ExifTags: Sendable, Hashable {
  /// 1…8, nil without a tag.
  ///
  /// 1 is upright, and 6 asks a viewer to turn the picture clockwise by 90°.
  package var orientation: Int?
  /// The camera's maker.
  package var make: String?
  /// The camera's model.
  package var model: String?

  /// The entries of the first directory that are looked at: cameras write about 20.
  private static let mostEntries = 1024
  /// The bytes of a name that are kept: cameras write up to 40, and devices are filed under them.
  private static let mostNameBytes = 64

  /// Reads the TIFF structure `bytes` (in a JPEG, what follows `Exif\0\0`).
  package init(tiff bytes: [UInt8]) {
    let isLittle: Bool
    switch (bytes.bigEndian16(at: 0), bytes.bigEndian16(at: 2)) {
    case (0x4949, 0x2A00): isLittle = true
    case (0x4D4D, 0x002A): isLittle = false
    default: return
    }
    func number16(_ offset: Int) -> Int? {
      bytes.bigEndian16(at: offset).map { isLittle ? Int(UInt16($0).byteSwapped) : $0 }
    }
    func number32(_ offset: Int) -> Int? {
      bytes.bigEndian32(at: offset).map { isLittle ? Int(UInt32($0).byteSwapped) : $0 }
    }
    guard let directory = number32(4), let entries = number16(directory) else { return }
    for index in 0..<min(entries, Self.mostEntries) {
      let entry = directory + 2 + 12 * index
      guard let tag = number16(entry), let type = number16(entry + 2),
        let count = number32(entry + 4)
      else { return }
      switch tag {
      case 0x0112 where type == 3 && count == 1:
        orientation = number16(entry + 8).flatMap { (1...8).contains($0) ? $0 : nil }
      case 0x010F where type == 2, 0x0110 where type == 2:
        // Up to four bytes stand in the entry itself.
        guard let offset = count <= 4 ? entry + 8 : number32(entry + 8), offset < bytes.count
        else { continue }
        let end = offset + min(count, bytes.count - offset, Self.mostNameBytes)
        let name = Self.name(bytes[offset..<end])
        if tag == 0x010F { make = name } else { model = name }
      default: continue
      }
    }
  }

  /// The text up to the first zero, without control characters and surrounding blanks; nil if empty.
  private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    let visible = text.unicodeScalars.filter { !isControl($0) }
    let words = String(String.UnicodeScalarView(visible)).split(separator: " ")
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
