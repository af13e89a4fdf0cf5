import Foundation
import Imaging

/// A temporary folder of small photographs; removed when the value goes away.
final class PhotographFolder {
  /// Its path, without a trailing slash.
  let path: String

  init(named name: String = "shots") throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      .appending(path: name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    // As the system reports it, whatever links lead to the temporary folder.
    path = url.resolvingSymlinksInPath().path(percentEncoded: false)
  }

  deinit {
    let parent = URL(filePath: path).deletingLastPathComponent()
    try? FileManager.default.removeItem(at: parent)
  }

  /// Writes a grey photograph and returns its path.
  @discardableResult
  func add(
    _ name: String, width: Int = 32, height: Int = 16, exif: [UInt8]? = nil
  ) throws -> String {
    let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: $0) }
    let image = GrayImage(width: width, height: height, pixels: pixels)
    var jpeg = try image.jpegData()
    if let exif {
      let content = Array("Exif\0\0".utf8) + exif
      jpeg.insert(
        contentsOf: [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content, at: 2)
    }
    return try write(jpeg, to: name)
  }

  /// Writes any file and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  /// A little-endian EXIF block with an orientation and, where given, maker and model.
  static func exif(orientation: UInt8, make: String? = nil, model: String? = nil) -> [UInt8] {
    let texts = [(UInt8(0x0F), make), (0x10, model)].compactMap { tag, text in
      text.map { (tag, Array($0.utf8) + [UInt8](repeating: 0, count: max(1, 5 - $0.utf8.count))) }
    }
    let count = texts.count + 1
    var offset = 8 + 2 + 12 * count + 4
    var entries: [UInt8] = []
    for (tag, text) in texts {
      entries += [tag, 1, 2, 0, UInt8(text.count), 0, 0, 0, UInt8(offset), 0, 0, 0]
      offset += text.count
    }
    entries += [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
    return [0x49, 0x49, 42, 0, 8, 0, 0, 0, UInt8(count), 0] + entries + [0, 0, 0, 0]
      + texts.flatMap(\.1)
  }
}
