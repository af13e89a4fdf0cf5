import Glibc

/// Writing of files that appear complete or not at all.
enum AtomicFile {
  /// The temporary names that are tried: each is taken only where another writer was killed.
  private static let mostAttempts = 100

  /// Writes `bytes` to a temporary file beside `path`, flushes it to the disk and renames it.
  static func write(_ bytes: [UInt8], toFileAt path: String) throws(ImagingError) {
    let (temporary, descriptor) = try temporaryFile(for: path)
    var failure = writeAll(bytes, to: descriptor)
    if failure == 0 && fsync(descriptor) != 0 { failure = errno }
    if close(descriptor) != 0 && failure == 0 { failure = errno }
    if failure == 0 && rename(temporary, path) != 0 { failure = errno }
    if failure != 0 {
      unlink(temporary)
      throw error(failure, path: path)
    }
    // The name lasts through a power cut once the folder is flushed, too. The picture is complete
    // either way, so that a file system that can't do this is no failure.
    let folder = open(folderName(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private static func temporaryFile(
    for path: String
  ) throws(ImagingError) -> (name: String, descriptor: Int32) {
    for attempt in 0..<mostAttempts {
      let name =
        "\(folderName(of: path))/.\(getpid())-\(attempt)-\(UInt32.random(in: 0...UInt32.max)).tmp"
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (name, descriptor) }
      if errno != EEXIST && errno != EINTR { throw error(errno, path: path) }
    }
    throw error(EEXIST, path: path)
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return errno }
        written += count
      }
      return 0
    }
  }

  private static func folderName(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func error(_ code: Int32, path: String) -> ImagingError {
    let hint =
      switch code {
      case ENOSPC, EDQUOT: "free some space"
      case EFBIG: "raise the limit on file sizes (ulimit -f)"
      case EACCES, EPERM, EROFS: "choose a folder that may be written to"
      case ENOENT, ENOTDIR: "create the folder first"
      default: "choose another place"
      }
    return ImagingError(
      .notWritable, path: path, message: "cannot be written: \(systemMessage(code)); \(hint)")
  }
}
