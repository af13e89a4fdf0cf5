import Glibc

/// What stands at a path, symbolic links followed.
struct FileKind {
  /// The device and inode: the same for all names of one file.
  struct Identity: Hashable {
    var device: UInt
    var inode: UInt
  }

  /// The kinds that are told apart.
  enum Kind {
    case file
    case folder
    /// A Video4Linux device, by whatever name.
    case videoDevice
    case other
  }

  let kind: Kind
  let identity: Identity

  /// Looks at `path`; nil, with `errno` in `failure`, when the system can't.
  init?(path: String, failure: inout Int32) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      failure = errno
      return nil
    }
    identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFCHR: kind = Self.isVideo(status.st_rdev) ? .videoDevice : .other
    default: kind = .other
    }
  }

  /// Whether a device number is Video4Linux's: 81 is its major number (the kernel's devices.txt).
  private static func isVideo(_ device: dev_t) -> Bool { (UInt64(device) >> 8) & 0xfff == 81 }
}

/// A folder's entries.
enum FolderListing {
  /// One entry's name, and whether it could be decoded.
  struct Entry {
    var name: String
    /// False where the name is not UTF-8, so that no path made of it leads back to the file.
    var isFaithful: Bool
  }

  /// All entries but `.` and `..`, in the system's order; nil, with `errno` in `failure`, when it
  /// can't be read.
  static func entries(of path: String, failure: inout Int32) -> [Entry]? {
    guard let folder = opendir(path) else {
      failure = errno
      return nil
    }
    defer { closedir(folder) }
    var entries: [Entry] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        failure = errno
        return failure == 0 ? entries : nil
      }
      // d_name has as many bytes as the entry needs, which may be fewer than its declared 256.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
      let bytes = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      let exact = String(validatingCString: bytes)
      let name = exact ?? String(cString: bytes)
      if name != "." && name != ".." {
        entries.append(Entry(name: name, isFaithful: exact != nil))
      }
    }
  }
}
