import Imaging

/// Pictures for cameras to send.
enum GrayPicture {
  /// The bytes of a JPEG with a pattern.
  static func jpeg(width: Int, height: Int) throws -> [UInt8] {
    let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 % width + $0 / width) }
    return try GrayImage(width: width, height: height, pixels: pixels).jpegData()
  }
}
