internal import Glibc

/// A file descriptor that text and bytes are written to, without a buffer.
package struct Output: Sendable, Hashable {
  /// The file descriptor; not owned.
  package var descriptor: Int32

  /// Creates an output over a descriptor, which stays the caller's to close.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Where data goes.
  package static let standard = Output(descriptor: STDOUT_FILENO)
  /// Where talk goes.
  package static let standardError = Output(descriptor: STDERR_FILENO)

  /// Fills those of the descriptors 0, 1 and 2 that the command was started without.
  ///
  /// Otherwise the next file to be opened, be it a record that is being written, takes the number, and
  /// what is meant for a person goes into it. What fills them can only be read, so that a write still
  /// fails.
  package static func keepStandardDescriptors() {
    while true {
      let descriptor = open("/dev/null", O_RDONLY)
      if descriptor > STDERR_FILENO { close(descriptor) }
      if descriptor < 0 || descriptor > STDERR_FILENO { return }
    }
  }

  /// Writes all of a text.
  ///
  /// - Throws: `OutputError`; a part may have been written.
  package func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }

  /// Writes all of the bytes, however many calls of write(2) that takes.
  ///
  /// Where nobody takes them, as with a pipe whose reader does something else, it waits until someone
  /// asks the command to stop.
  ///
  /// - Throws: `OutputError`; a part may have been written.
  package func write(_ bytes: [UInt8]) throws(OutputError) {
    let failure: Int32 = bytes.withUnsafeBytes { buffer in
      guard var next = buffer.baseAddress else { return 0 }
      var left = buffer.count
      let most = mostAtOnce
      while left > 0 {
        guard isReady() else { return EINTR }
        let written = Glibc.write(descriptor, next, min(left, most))
        if written > 0 {
          next += written
          left -= written
        } else if written == 0 {
          return EIO
        } else if errno != EINTR, errno != EAGAIN {
          // EAGAIN: another program that shares the descriptor made it non-blocking.
          return errno
        }
      }
      return 0
    }
    if failure != 0 { throw OutputError(errno: failure) }
  }

  /// Waits for room; false where someone asked to stop while there is none.
  private func isReady() -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while poll(&request, 1, 50) <= 0 {
      if Interruption.isRequested { return false }
    }
    return true
  }

  /// As many bytes as never block once there is room for any: a page for a pipe (pipe(7)), all for a
  /// file.
  private var mostAtOnce: Int {
    var info = stat()
    return fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG ? Int.max : 4096
  }

  /// Whether a person looks at it: a terminal that understands the redrawing of a line.
  package var isTerminal: Bool {
    guard isatty(descriptor) == 1 else { return false }
    guard let term = getenv("TERM") else { return false }
    return !["", "dumb"].contains(String(cString: term))
  }

  /// The width of the terminal in columns; nil where it is none or doesn't say.
  package var columns: Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// A write that failed.
package struct OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error number of write(2).
  package var errno: Int32

  /// Creates an error from an error number.
  package init(errno: Int32) { self.errno = errno }

  /// Whether the reader went away, as `head` does: no reason to complain.
  package var isBrokenPipe: Bool { errno == EPIPE }

  /// Whether it was given up because someone asked to stop.
  package var isInterrupted: Bool { errno == EINTR }

  /// The system's words for it.
  package var description: String { String(cString: strerror(errno)) }
}
