import CameraModel

/// The names of the store's files and folders.
enum FileNames {
  /// NAME_MAX of every Linux file system is 255 bytes; some room is left for what is appended.
  private static let longestFolderName = 200

  /// The folder of a device: every byte outside `A-Za-z0-9._-` percent-encoded.
  ///
  /// A dot at the start is encoded, too: no id may become `.`, `..` or a hidden file. A name that no
  /// file system would hold is cut and told apart by a hash after `~`, which no encoded name has.
  static func folder(of device: DeviceID) throws(StoreError) -> String {
    if let reason = device.invalidityReason {
      throw StoreError(
        code: .invalidDevice, subject: "device \"\(device.rawValue.clipped)\"", message: reason)
    }
    var name = ""
    for (index, byte) in device.rawValue.utf8.enumerated() {
      if isPlain(byte), !(index == 0 && byte == UInt8(ascii: ".")) {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "%" + hex(UInt64(byte), digits: 2)
      }
    }
    guard name.utf8.count > longestFolderName else { return name }
    let hash = device.rawValue.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      // FNV-1a.
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    var end = name.utf8.index(name.startIndex, offsetBy: longestFolderName - 17)
    // Not in the middle of %XX.
    for back in 1...2 where name.utf8[name.utf8.index(end, offsetBy: -back)] == UInt8(ascii: "%") {
      end = name.utf8.index(end, offsetBy: -back)
      break
    }
    return name[..<end] + "~" + hex(hash, digits: 16)
  }

  /// The device of a folder; nil where the folder's name is cut or no name that the store gives.
  static func device(ofFolder folder: String) -> DeviceID? {
    var bytes: [UInt8] = []
    var rest = Array(folder.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        guard isPlain(byte) else { return nil }
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let device = DeviceID(rawValue: text)
    return (try? self.folder(of: device)) == folder ? device : nil
  }

  /// Whether a folder's name may be one of a device whose id was too long.
  static func isCut(_ folder: String) -> Bool { folder.contains("~") && !folder.hasPrefix(".") }

  static func record(_ resolution: Resolution) -> String { "\(resolution).json" }

  static func points(_ resolution: Resolution) -> String { "\(resolution).points.json" }

  static func historyFolder(_ resolution: Resolution) -> String { "\(resolution).history" }

  /// The resolution of a record's file; nil for other files.
  static func resolution(ofRecord name: String) -> Resolution? {
    guard name.hasSuffix(".json") else { return nil }
    return canonicalResolution(name.dropLast(5))
  }

  /// The resolution of a points file; nil for other files.
  static func resolution(ofPoints name: String) -> Resolution? {
    guard name.hasSuffix(".points.json") else { return nil }
    return canonicalResolution(name.dropLast(".points.json".count))
  }

  /// The resolution of a history folder; nil for other names.
  static func resolution(ofHistory name: String) -> Resolution? {
    guard name.hasSuffix(".history") else { return nil }
    return canonicalResolution(name.dropLast(8))
  }

  private static func canonicalResolution(_ text: Substring) -> Resolution? {
    // 0640x480 would be a second name of 640x480.
    guard let resolution = Resolution(String(text)), resolution.description == text else {
      return nil
    }
    return resolution
  }

  /// The first part of the names of unfinished files.
  static let temporaryPrefix = ".tmp-"

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func hex(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
