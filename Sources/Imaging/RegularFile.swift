import Glibc

/// An open regular file, closed when the value goes away.
///
/// Folders, FIFOs (on which opening would wait for a writer), sockets and devices are refused before
/// they are opened.
package struct RegularFile: ~Copyable {
  /// The open descriptor, close-on-exec.
  package let descriptor: Int32
  /// The size when the file was opened, bytes; at least 1.
  package let size: Int
  private let path: String

  /// The largest file that is read whole: a 500-megapixel picture of 16-bit RGB has 3 GB.
  package static let mostBytes = 4 << 30

  /// Opens `path` for reading.
  package init(path: String) throws(ImagingError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.error(errno, path: path) }
    if let kind = Self.obstacle(mode: status.st_mode) {
      throw ImagingError(.notARegularFile, path: path, message: kind)
    }
    // O_NONBLOCK: what the path names may have been exchanged for a FIFO since.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.error(errno, path: path) }
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw Self.error(code, path: path)
    }
    if let kind = Self.obstacle(mode: status.st_mode) {
      close(descriptor)
      throw ImagingError(.notARegularFile, path: path, message: kind)
    }
    guard status.st_size > 0 else {
      close(descriptor)
      throw ImagingError(
        .empty, path: path, message: "the file is empty; copy it again from the camera")
    }
    self.descriptor = descriptor
    self.size = status.st_size
    self.path = path
  }

  deinit { close(descriptor) }

  /// The bytes from `offset` on: `count` of them, fewer at the end of the file.
  package func bytes(at offset: Int, count: Int) throws(ImagingError) -> [UInt8] {
    guard count > 0, offset >= 0 else { return [] }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let room = UnsafeMutableBufferPointer(rebasing: buffer[initialized..<count])
        let got = pread(descriptor, room.baseAddress, room.count, offset + initialized)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        initialized += got
      }
    }
    if failure != 0 { throw Self.error(failure, path: path) }
    return bytes
  }

  /// All bytes of the file.
  package func contents() throws(ImagingError) -> [UInt8] {
    guard size <= Self.mostBytes else {
      throw ImagingError(
        .tooLarge, path: path,
        message: "the file has \(size) bytes; pictures are read up to \(Self.mostBytes)")
    }
    return try bytes(at: 0, count: size)
  }

  private static func obstacle(mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "is a folder, not a picture"
    case S_IFIFO: "is a pipe (FIFO); save the picture to a file first"
    case S_IFSOCK: "is a socket; save the picture to a file first"
    case S_IFCHR, S_IFBLK: "is a device, not a picture"
    default: "is not a regular file"
    }
  }

  private static func error(_ code: Int32, path: String) -> ImagingError {
    switch code {
    case ENOENT, ENOTDIR:
      ImagingError(.notFound, path: path, message: "there is no such file; check the path")
    case EACCES, EPERM:
      ImagingError(
        .permissionDenied, path: path,
        message: "no permission to read it; change its mode, or run as a user who may")
    case ELOOP:
      ImagingError(
        .notFound, path: path, message: "is a symbolic link that leads back to itself; remove it")
    case ENAMETOOLONG:
      ImagingError(.notFound, path: path, message: "the path is longer than the system allows")
    default:
      ImagingError(.unreadable, path: path, message: "cannot be read: \(systemMessage(code))")
    }
  }
}

/// What the system calls the error `code`, for example `No space left on device`.
package func systemMessage(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
      return "error \(code)"
    }
    return String(cString: base)
  }
}
