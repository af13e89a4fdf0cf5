import Glibc

/// A file that a command writes for its user.
package enum OutputFile {
  /// Writes bytes to a file: complete or not at all, in place of a file that is there.
  ///
  /// A pipe or a character device (`/dev/null`) is written to, not replaced; folders, sockets and disks
  /// are refused.
  ///
  /// - Parameters:
  ///   - patience: How long a pipe's reader may take to open it, seconds: both may have been started by
  ///     one line of a script.
  ///   - isCancelled: Asked while a pipe or device takes no bytes; true ends the wait.
  /// - Returns: False where it was cancelled: what a pipe has taken until then it has.
  /// - Throws: `StoreError` with the code `notWritable`, whose subject is the path as given.
  package static func write(
    _ bytes: [UInt8], to path: String, patience: Double = 10,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(StoreError) -> Bool {
    var info = stat()
    if stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFREG {
      return try StreamFile(
        path, mode: info.st_mode, patience: patience, isCancelled: isCancelled
      ).write(bytes)
    }
    do {
      try replace(path, bytes)
      return true
    } catch {
      // The name of the temporary file says nothing to anybody.
      let number = error.systemError ?? EIO
      var named = StoreError.system(
        number, .notWritable, "cannot write the file", path.printable)
      if number == ENOENT || number == ENOTDIR {
        named.message += " (what it is to lie in is no folder; make that first)"
      }
      throw named
    }
  }

  private static func replace(_ path: String, _ bytes: [UInt8]) throws(StoreError) {
    let disk = Disk()
    // A symbolic link keeps pointing where it does.
    let target = RealPath.of(path) ?? path
    let random = String(UInt64.random(in: .min ... .max), radix: 16)
    let temporary = "\(Disk.parent(of: target))/\(FileNames.temporaryPrefix)\(random)"
    try disk.writeNewFile(temporary, bytes)
    do {
      try disk.rename(temporary, to: target)
    } catch {
      try? disk.remove(temporary)
      throw error
    }
  }
}
