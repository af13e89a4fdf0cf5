/// A parser of outside bytes.
///
/// Whatever the bytes, it must end in a value or an error of its own: no trap, no overrun, no
/// endless loop. Beyond that each target checks what its module promises.
enum FuzzTarget: String, CaseIterable {
  /// The files of the store: records, points, and the names of files and folders.
  case record
  /// Calibration files of other programs.
  case dialect
  /// JPEG, PNG and PNM: header, then pixels.
  case image
  /// Frames of a camera that sends JPEGs.
  case frame
  /// EXIF blocks.
  case exif
  /// Tables of detected points.
  case corners
  /// Command lines.
  case options

  /// The one that this process feeds; set once before the fuzzer starts.
  nonisolated(unsafe) static var chosen = FuzzTarget.record

  /// Runs the parser; false where the bytes are nothing that it could meet.
  func run(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .record: fuzzStore(bytes)
    case .dialect: fuzzDialects(bytes)
    case .image: fuzzImages(bytes)
    case .frame: fuzzFrames(bytes)
    case .exif: fuzzEXIF(bytes)
    case .corners: fuzzCorners(bytes)
    case .options: return fuzzOptions(bytes)
    }
    return true
  }
}
