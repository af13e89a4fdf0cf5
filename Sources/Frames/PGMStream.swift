import CameraModel
import Imaging

/// Reading of grey PGM pictures that a program writes one after the other.
enum PGMStream {
  /// The largest header: `P5`, two numbers, `255`, each with its separator.
  private static let mostHeaderBytes = 32

  /// The bytes of a header up to its third line's end; fewer at the end of the output.
  static func header(from process: inout Subprocess) throws(Subprocess.Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var lines = 0
    while lines < 3 && bytes.count < mostHeaderBytes {
      let byte = try process.read(upTo: 1, waitingAtMost: FFmpeg.patienceSeconds)
      if byte.isEmpty { break }
      bytes += byte
      if byte[0] == UInt8(ascii: "\n") { lines += 1 }
    }
    return bytes
  }

  /// The size that a header of 8-bit pixels gives; nil for anything else.
  static func size(inHeader bytes: [UInt8]) -> Resolution? {
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 4, words[0] == "P5", words[3] == "255" else { return nil }
    return Resolution("\(words[1])x\(words[2])")
  }

  /// The next picture's pixels; nil where the output ends before they do.
  static func image(
    of size: Resolution, from process: inout Subprocess
  ) throws(Subprocess.Failure) -> GrayImage? {
    let pixels = try process.read(
      exactly: size.width * size.height, waitingAtMost: FFmpeg.patienceSeconds)
    return pixels.map { GrayImage(width: size.width, height: size.height, pixels: $0) }
  }
}
