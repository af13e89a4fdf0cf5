import Glibc

/// The lock that every writer of a store holds while it changes anything.
///
/// flock(2) on `ROOT/.lock`: the kernel lifts it when its holder ends, however it ends. Readers need
/// no lock, because files change by rename only.
enum StoreLock {
  /// Waits for the lock, at most `seconds`, and holds it while `body` runs.
  ///
  /// - Throws: `busy` when the wait was not long enough, `notWritable` when there can be no lock.
  static func hold<Value>(
    root: String, seconds: Double, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let path = root + "/.lock"
    // Reading is enough for flock, so that a file of another user serves, too.
    // O_NONBLOCK: a pipe of this name must not make the writer wait.
    let descriptor = open(
      path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else {
      throw .system(errno, .notWritable, "cannot open the lock file", path)
    }
    // Closing the only descriptor lifts the lock.
    defer { close(descriptor) }
    let deadline = monotonicSeconds + seconds
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      guard number == EWOULDBLOCK || number == EINTR else {
        throw .system(number, .notWritable, "cannot lock", path)
      }
      guard monotonicSeconds < deadline else {
        throw StoreError(
          code: .busy, subject: path,
          message: "another process has been writing to this store for more than "
            + "\(seconds) s; `fuser \(path)` names it, try again when it has ended")
      }
      // flock has no wait with an end; a writer holds the lock for some milliseconds.
      usleep(5000)
    }
    return try body()
  }
}
