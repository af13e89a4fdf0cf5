import CalibrationStore
import CommandLineTool
import Glibc

/// A folder that an option names for files to be written into.
enum OutputFolder {
  /// Makes the folder where it is missing.
  ///
  /// - Parameter option: The option, for messages: `--draw`.
  /// - Throws: `CommandFailure` without permission, `UsageError` where it can't be a folder.
  static func make(_ path: String, for option: String) throws {
    var status = stat()
    if mkdir(path, 0o777) != 0 {
      let code = errno
      guard code == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw failure(code, path, option)
      }
    }
    guard access(path, W_OK | X_OK) == 0 else {
      throw CommandFailure(
        .noPermission,
        "\(option) \(path): no permission to write into this folder; choose another".printable)
    }
  }

  /// Refuses a folder that the frames come from: what is drawn would be taken for photographs in the
  /// next run.
  ///
  /// - Parameter sources: Files, folders and patterns as the command line names them.
  static func checkIsApart(_ path: String, from sources: [String], for option: String) throws {
    guard let folder = resolved(path) else { return }
    for source in sources {
      let parent = source.lastIndex(of: "/").map { String(source[...$0]) } ?? "."
      guard resolved(source) == folder || resolved(parent) == folder else { continue }
      throw UsageError(
        .invalidValue, subject: option,
        message:
          "\(option) \(path): the photographs are in this folder, and the next run would take what "
          + "is drawn for photographs; choose another".printable)
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// Refuses a folder with anything in it.
  static func checkIsEmpty(_ path: String, for option: String) throws {
    guard let folder = opendir(path) else { throw failure(errno, path, option) }
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

  private static func failure(_ code: Int32, _ path: String, _ option: String) -> any Error {
    let reason: String
    switch code {
    case EACCES, EPERM:
      return CommandFailure(
        .noPermission,
        "\(option) \(path): no permission to make or read this folder; choose another".printable)
    case EEXIST: reason = "is there already and is no folder; choose another name"
    case ENOENT: reason = "the folder that it lies in does not exist; make that first"
    case ENOTDIR: reason = "what it lies in is no folder; choose another"
    default: reason = "the folder can't be made: \(String(cString: strerror(code)))"
    }
    return UsageError(
      .invalidValue, subject: option, message: "\(option) \(path): \(reason)".printable)
  }
}
