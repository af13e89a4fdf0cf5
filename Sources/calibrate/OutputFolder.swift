import CalibrationStore
import CommandLineTool
import Glibc

/// A folder that an option names for files to be written into.
///
/// It is checked with the command line and made when there is something to write.
struct OutputFolder: Sendable {
  /// The path as given.
  let path: String
  /// The option, for messages: `--draw`.
  let option: String

  /// Checks that the folder can be written into or made; changes nothing.
  ///
  /// - Throws: `CommandFailure` without permission, `UsageError` where it can't be a folder.
  init(_ path: String, for option: String) throws {
    self.path = path
    self.option = option
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(EEXIST) }
      guard access(path, W_OK | X_OK) == 0 else { throw failure(errno) }
      return
    }
    guard errno == ENOENT else { throw failure(errno) }
    // A link that leads nowhere.
    guard lstat(path, &status) != 0 else { throw failure(EEXIST) }
    guard stat(parent, &status) == 0 else { throw failure(errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(ENOTDIR) }
    guard access(parent, W_OK | X_OK) == 0 else { throw failure(errno) }
  }

  /// Makes the folder where it is missing.
  ///
  /// - Throws: As above.
  func make() throws {
    var status = stat()
    guard mkdir(path, 0o777) != 0 else { return }
    let code = errno
    guard code == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw failure(code)
    }
  }

  /// Refuses a folder that the frames come from: what is drawn would be taken for photographs in the
  /// next run.
  ///
  /// - Parameter sources: Files, folders and patterns as the command line names them.
  func checkIsApart(from sources: [String]) throws(UsageError) {
    guard let folder = RealPath.of(path) else { return }
    for source in sources {
      let parent = source.lastIndex(of: "/").map { String(source[...$0]) } ?? "."
      guard RealPath.of(source) == folder || RealPath.of(parent) == folder else { continue }
      throw UsageError(
        .invalidValue, subject: option,
        message:
          "\(option) \(path): the photographs are in this folder, and the next run would take what "
          + "is drawn for photographs; choose another".printable)
    }
  }

  /// Refuses a folder that another option names, too; either may have yet to be made.
  func checkIsApart(from other: OutputFolder) throws(UsageError) {
    guard Self.place(path) == Self.place(other.path) else { return }
    throw UsageError(
      .conflictingOptions, subject: option,
      message: "\(option) and \(other.option) name one folder, and the next run would take what is "
        + "drawn for photographs; choose another")
  }

  /// Refuses a folder with anything in it.
  func checkIsEmpty() throws {
    guard let folder = opendir(path) else {
      if errno == ENOENT { return }
      throw failure(errno)
    }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name == "." || name == ".." else {
        throw UsageError(
          .invalidValue, subject: option,
          message:
            "\(option) \(path): the folder is not empty, and what is in it would be mixed with "
            + "the new frames; choose another".printable)
      }
    }
  }

  /// The folder that it lies in, or will.
  private var parent: String { Self.parent(of: path) }

  private static func parent(of path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Where a path leads that may have yet to be made.
  private static func place(_ path: String) -> String {
    if let folder = RealPath.of(path) { return folder }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return (RealPath.of(parent(of: path)) ?? "") + "/" + name
  }

  private func failure(_ code: Int32) -> any Error {
    let reason: String
    switch code {
    case EACCES, EPERM, EROFS:
      return CommandFailure(
        .noPermission,
        "\(option) \(path): no permission to make this folder or to write into it; choose another"
          .printable)
    case EEXIST: reason = "is there already and is no folder; choose another name"
    case ENOENT: reason = "the folder that it lies in does not exist; make that first"
    case ENOTDIR: reason = "what it lies in is no folder; choose another"
    default: reason = "the folder can't be made: \(String(cString: strerror(code)))"
    }
    return UsageError(
      .invalidValue, subject: option, message: "\(option) \(path): \(reason)".printable)
  }
}
