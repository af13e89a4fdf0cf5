import Glibc

/// The system calls by which the store changes the disk, in one place, so that a test can make
/// each of them fail, or stop before any of them as a kill would.
struct Disk: Sendable {
  /// The kinds of change.
  enum Change: String, Sendable {
    case createFolder, createFile, write, synchronize, rename, link, remove
  }

  /// Called before each change; an `errno` other than nil is reported instead of making the change.
  var intercept: (@Sendable (Change, String) -> Int32?)?

  /// Creates a folder and those above it where they are missing, each made durable in the one above.
  func createFolder(_ path: String) throws(StoreError) {
    if Disk.isFolder(path) { return }
    let parent = Disk.parent(of: path)
    if parent != path { try createFolder(parent) }
    let status = attempt(.createFolder, path) { mkdir(path, 0o777) }
    // Another process may have been quicker.
    guard status == 0 || (status == EEXIST && Disk.isFolder(path)) else {
      // Something else of this name stands there.
      let number = status == EEXIST ? ENOTDIR : status
      throw .system(number, .notWritable, "cannot create the folder", path)
    }
    try synchronizeFolder(parent)
  }

  /// Writes a new file and makes its contents durable; an unfinished file is removed again.
  func writeNewFile(_ path: String, _ bytes: [UInt8], mode: mode_t = 0o666) throws(StoreError) {
    var descriptor: Int32 = -1
    let status = attempt(.createFile, path) {
      descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
      return descriptor < 0 ? -1 : 0
    }
    guard status == 0 else { throw .system(status, .notWritable, "cannot create the file", path) }
    let failure = fill(descriptor, path, bytes)
    // close reports what a network file system could not write.
    let closing = close(descriptor) == 0 ? 0 : errno
    let number = failure != 0 ? failure : closing
    guard number == 0 else {
      _ = attempt(.remove, path) { unlink(path) }
      throw .system(number, .notWritable, "cannot write the file", path)
    }
  }

  /// Writes and synchronizes; returns an `errno` or 0.
  private func fill(_ descriptor: Int32, _ path: String, _ bytes: [UInt8]) -> Int32 {
    let failure = withoutFileSizeSignal {
      var offset = 0
      while offset < bytes.count {
        var written = 0
        let status = attempt(.write, path) {
          written = bytes[offset...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
          return written < 0 ? -1 : 0
        }
        guard status == 0 else { return status }
        offset += written
      }
      return 0
    }
    guard failure == 0 else { return failure }
    return attempt(.synchronize, path) { fsync(descriptor) }
  }

  /// Gives a file another name, in place of what had that name, in one step.
  func rename(_ path: String, to newPath: String) throws(StoreError) {
    let status = attempt(.rename, newPath) { Glibc.rename(path, newPath) }
    guard status == 0 else { throw .system(status, .notWritable, "cannot rename", newPath) }
  }

  /// Gives a file a second name.
  ///
  /// Returns an `errno` or 0: not every file system has hard links.
  func link(_ path: String, as newPath: String) -> Int32 {
    attempt(.link, newPath) { Glibc.link(path, newPath) }
  }

  /// Removes a file; that it is gone already is no error.
  func remove(_ path: String) throws(StoreError) {
    let status = attempt(.remove, path) { unlink(path) }
    guard status == 0 || status == ENOENT else {
      throw .system(status, .notWritable, "cannot remove", path)
    }
  }

  /// Removes a folder where it is empty; else leaves it.
  func removeEmptyFolder(_ path: String) {
    _ = attempt(.remove, path) { rmdir(path) }
  }

  /// Makes the names in a folder durable.
  func synchronizeFolder(_ path: String) throws(StoreError) {
    let status = attempt(.synchronize, path) {
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return -1 }
      defer { close(descriptor) }
      // Some network and FUSE file systems have no fsync of folders (EINVAL).
      return fsync(descriptor) == 0 || errno == EINVAL ? 0 : -1
    }
    guard status == 0 else { throw .system(status, .notWritable, "cannot synchronize", path) }
  }

  /// Runs a system call that returns −1 on failure; repeated when a signal interrupts it.
  private func attempt(_ change: Change, _ path: String, _ call: () -> Int32) -> Int32 {
    if let number = intercept?(change, path) { return number }
    while true {
      if call() == 0 { return 0 }
      if errno != EINTR { return errno }
    }
  }

  /// Runs `body` with SIGXFSZ held back: the signal that comes with EFBIG would end the process.
  private func withoutFileSizeSignal(_ body: () -> Int32) -> Int32 {
    var set = sigset_t()
    var before = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGXFSZ)
    guard pthread_sigmask(SIG_BLOCK, &set, &before) == 0 else { return body() }
    let result = body()
    if result == EFBIG {
      var now = timespec()
      _ = sigtimedwait(&set, nil, &now)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return result
  }
}

extension Disk {
  /// The folder that holds a path.
  static func parent(of path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard !parts.isEmpty else { return path.hasPrefix("/") ? "/" : "." }
    parts.removeLast()
    let joined = parts.joined(separator: "/")
    if path.hasPrefix("/") { return "/" + joined }
    return joined.isEmpty ? "." : joined
  }

  /// Whether there is a folder at the path.
  static func isFolder(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether there is anything at the path.
  static func exists(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0
  }

  /// Whether two paths are names of one file.
  static func isSameFile(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// The names in a folder, sorted; empty where there is no such folder.
  static func names(in folder: String) throws(StoreError) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw .system(errno, .unreadable, "cannot read the folder", folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw .system(errno, .unreadable, "cannot read the folder", folder) }
    return names.sorted()
  }

  /// The contents of a regular file; nil where there is none.
  ///
  /// - Parameter limit: More bytes than that are an error, not a long wait.
  static func contents(of path: String, limit: Int) throws(StoreError) -> [UInt8]? {
    // O_NONBLOCK: a named pipe must not make the reader wait.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system(errno, .unreadable, "cannot open the file", path)
    }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else {
      throw .system(errno, .unreadable, "cannot read the file", path)
    }
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(
        code: .unreadable, subject: path, message: "this is no regular file, a record was expected")
    }
    guard Int(info.st_size) <= limit else {
      throw StoreError(
        code: .corrupt, subject: path,
        message: "the file has \(info.st_size) bytes, a record has at most \(limit)")
    }
    var number: Int32 = 0
    let size = Int(info.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let received = read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if received < 0 {
          if errno == EINTR { continue }
          number = errno
          return
        }
        if received == 0 { return }
        count += received
      }
    }
    guard number == 0 else { throw .system(number, .unreadable, "cannot read the file", path) }
    return bytes
  }
}
