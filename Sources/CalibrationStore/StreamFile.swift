import Glibc

/// A pipe or device that a user names as the place for a file.
///
/// No call blocks, so that whoever waits can give up: a pipe that nobody reads takes nothing, and
/// opening one waits for its reader.
struct StreamFile {
  private let path: String
  private let isPipe: Bool
  private let patience: Double
  private let isCancelled: () -> Bool

  /// How soon a wish to stop is noticed, milliseconds.
  private static let glance: Int32 = 50

  /// - Parameters:
  ///   - mode: What stat(2) says the path is.
  ///   - patience: How long a pipe's reader may take to open it, seconds.
  init(
    _ path: String, mode: mode_t, patience: Double, isCancelled: @escaping () -> Bool
  ) throws(StoreError) {
    self.path = path
    self.patience = patience
    self.isCancelled = isCancelled
    isPipe = mode & S_IFMT == S_IFIFO
    let obstacle: String? =
      switch mode & S_IFMT {
      case S_IFIFO, S_IFCHR: nil
      case S_IFDIR: "is a folder; name a file in it"
      case S_IFBLK: "is a disk, which is not written over; name a file"
      case S_IFSOCK: "is a socket; name a file"
      default: "is nothing that can be written to; name a file"
      }
    if let obstacle { throw error(obstacle) }
  }

  /// Writes all bytes; false where it was cancelled.
  func write(_ bytes: [UInt8]) throws(StoreError) -> Bool {
    guard let descriptor = try open() else { return false }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
        continue
      }
      let number = count == 0 ? EIO : errno
      switch number {
      case EAGAIN, EINTR:
        if isCancelled() { return false }
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, Self.glance)
      case EPIPE: throw error("the reader of this pipe went away before it had all", number)
      default: throw .system(number, .notWritable, "cannot write the file", path.printable)
      }
    }
    return true
  }

  /// Opens it, once there is a reader; nil where it was cancelled.
  private func open() throws(StoreError) -> Int32? {
    let deadline = monotonicSeconds + patience
    while true {
      let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      if descriptor >= 0 { return descriptor }
      let number = errno
      guard number == EINTR || (number == ENXIO && isPipe) else {
        throw .system(number, .notWritable, "cannot open the file", path.printable)
      }
      if isCancelled() { return nil }
      guard monotonicSeconds < deadline else {
        throw error(
          "is a pipe (FIFO) that nobody has read from for \(Int(patience)) s; start its reader "
            + "first, or name a file", number)
      }
      // The kernel has nothing to wait with for a reader but the call that blocks.
      poll(nil, 0, Self.glance)
    }
  }

  private func error(_ message: String, _ number: Int32? = nil) -> StoreError {
    StoreError(
      code: .notWritable, subject: path.printable, message: message, systemError: number)
  }
}
