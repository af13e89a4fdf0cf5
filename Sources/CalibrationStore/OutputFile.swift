import Glibc

/// A file that a command writes for its user.
package enum OutputFile {
  /// Writes bytes to a file: complete or not at all, in place of a file that is there.
  ///
  /// What is no regular file (a pipe, `/dev/null`) is written to, not replaced.
  ///
  /// - Throws: `StoreError` with the code `notWritable`.
  package static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let disk = Disk()
    var info = stat()
    if stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFREG {
      return try disk.writeExistingFile(path, bytes)
    }
    // A symbolic link keeps pointing where it does.
    let target = Disk.resolved(path) ?? path
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
