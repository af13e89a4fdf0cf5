import Glibc
import Imaging

/// The files that the sources on a command line stand for.
struct SourceExpansion {
  /// The files, each once, in the order of the sources and in natural order within one.
  private(set) var files: [String] = []
  /// What was found and is no picture by its kind or name.
  private(set) var setAside: [SetAside] = []
  /// The folders that were listed.
  private var folders: [String] = []
  private var known: [FileKind.Identity: String] = [:]

  /// Expands files, folders and patterns.
  init(_ sources: [String]) throws(FramesError) {
    guard !sources.isEmpty else {
      throw FramesError(
        .noSource, source: "", message: "no source is given; name photographs, a folder or a video")
    }
    for source in sources { try add(source) }
    guard files.isEmpty else { return }
    let folder = folders.first ?? sources[0]
    if setAside.isEmpty {
      throw FramesError(
        .emptyFolder, source: folder, message: "the folder is empty; put photographs into it")
    }
    let example = setAside[0]
    throw FramesError(
      .noImages, source: folder,
      message: "holds no photographs, only \(setAside.count) other "
        + "\(setAside.count == 1 ? "entry" : "entries") "
        + "(\(printable(example.source)) \(example.reason))" + Self.advice(setAside))
  }

  private mutating func add(_ source: String) throws(FramesError) {
    if source.isEmpty {
      throw FramesError(.notFound, source: "''", message: "an empty name is no source")
    }
    if Self.isVideoDevice(source) { throw Self.liveCamera(source) }
    var failure: Int32 = 0
    guard let found = FileKind(path: source, failure: &failure) else {
      if failure == ENOENT && source.contains(where: \.isNewline) {
        throw FramesError(
          .notFound, source: source,
          message: "there is no such file or folder, and its name has line breaks in it; where a "
            + "list is meant, give each name as an argument of its own")
      }
      if failure == ENOENT && GlobPattern.isPattern(source) { return try addMatches(source) }
      throw Self.error(failure, source: source)
    }
    switch found.kind {
    case .file: addFile(source, found.identity)
    case .folder: try addFolder(source)
    case .videoDevice: throw Self.liveCamera(source)
    case .other:
      throw FramesError(
        .unreadable, source: source,
        message: "is neither a file nor a folder; save its pictures to files first")
    }
  }

  private mutating func addFile(_ path: String, _ identity: FileKind.Identity) {
    if let first = known[identity] {
      // The same path twice (a folder and a file in it) needs no words.
      if first != path {
        setAside.append(
          SetAside(source: path, reason: "is the same file as \(printable(first)), used once"))
      }
      return
    }
    known[identity] = path
    files.append(path)
  }

  private mutating func addFolder(_ folder: String) throws(FramesError) {
    var failure: Int32 = 0
    guard let entries = FolderListing.entries(of: folder, failure: &failure) else {
      throw Self.error(failure, source: folder)
    }
    folders.append(folder)
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    for entry in entries.sorted(by: { NaturalOrder.precedes($0.name, $1.name) }) {
      addFound(prefix + entry.name, name: entry.name, isFaithful: entry.isFaithful)
    }
  }

  private mutating func addMatches(_ pattern: String) throws(FramesError) {
    let matches = GlobPattern.matches(pattern)
    guard !matches.isEmpty else {
      throw FramesError(
        .noMatch, source: pattern, message: "the pattern matches no file; check it with ls")
    }
    folders.append(pattern)
    for match in matches.sorted(by: { NaturalOrder.precedes($0.name, $1.name) }) {
      addFound(match.name, name: nil, isFaithful: match.isFaithful)
    }
  }

  /// Adds what a folder or pattern gave, or sets it aside; `name` where hidden files don't count.
  private mutating func addFound(_ path: String, name: String?, isFaithful: Bool) {
    func setAside(_ reason: String) {
      self.setAside.append(SetAside(source: path, reason: reason, isPicture: false))
    }
    if let name, name.hasPrefix(".") { return setAside("is a hidden file; name it to use it") }
    guard isFaithful else { return setAside("has a name that is not UTF-8; rename it") }
    var failure: Int32 = 0
    guard let found = FileKind(path: path, failure: &failure) else {
      return setAside(Self.error(failure, source: path).message)
    }
    switch found.kind {
    case .file: addFile(path, found.identity)
    case .folder: setAside(Self.folderReason)
    case .videoDevice, .other: setAside("is not a regular file")
    }
  }
}

extension SourceExpansion {
  private static let folderReason = "is a folder; name it to use what is in it"

  /// What to do where folders were found and no photographs; empty where there were none.
  static func advice(_ setAside: [SetAside]) -> String {
    let folders = setAside.filter { $0.reason == folderReason }
    guard !folders.isEmpty else { return "" }
    return ". Folders inside a folder are not searched: name the one with the photographs, as in "
      + folders.prefix(4).map { printable($0.source) }.joined(separator: " or ")
      + (folders.count > 4 ? " …" : "")
  }

  /// Whether `path` names a V4L2 device, there or not.
  static func isVideoDevice(_ path: String) -> Bool {
    let prefix = "/dev/video"
    let number = path.dropFirst(prefix.count)
    return path.hasPrefix(prefix) && !number.isEmpty
      && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func liveCamera(_ source: String) -> FramesError {
    FramesError(
      .liveCameraUnsupported, source: source,
      message: "is a camera, and photographs or a video were expected; give a camera as the only "
        + "source, without files beside it")
  }

  static func error(_ code: Int32, source: String) -> FramesError {
    switch code {
    case ENOENT, ENOTDIR:
      FramesError(
        .notFound, source: source,
        message: "there is no such file or folder; check the path (relative ones start from the "
          + "current folder)")
    case EACCES, EPERM:
      FramesError(
        .permissionDenied, source: source,
        message: "no permission to read it; change its mode, or run as a user who may")
    case ELOOP:
      FramesError(
        .notFound, source: source,
        message: "is a symbolic link that leads back to itself; remove it")
    default:
      FramesError(
        .unreadable, source: source, message: "cannot be read: \(systemMessage(code))")
    }
  }
}
