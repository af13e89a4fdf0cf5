import Glibc

/// The folders in which records are looked for and stored, and why these.
public struct StoreRoots: Sendable, Hashable {
  /// Why a folder was chosen.
  public enum Origin: Sendable, Hashable {
    /// It was asked for.
    case given
    /// The environment variable `CAMERA_CALIBRATIONS` names it.
    case environment
    /// There is a folder `calibrations` in the working folder.
    case workingFolder
    /// It is the user's store.
    case user
  }

  /// Where new records go, and which folder is read first.
  public var writing: String
  /// The folders that are read after `writing`.
  public var fallbacks: [String]
  /// Why `writing` was chosen.
  public var origin: Origin

  /// Finds the folders.
  ///
  /// `given` where there is one; else the environment variable `CAMERA_CALIBRATIONS`; else
  /// `./calibrations` where that folder exists, with the user's store behind it; else the user's
  /// store: `$XDG_DATA_HOME/camera-calibrations`, by default `~/.local/share/camera-calibrations`.
  ///
  /// - Parameters:
  ///   - given: The folder of `--store`.
  ///   - environment: The environment variables.
  ///   - workingFolder: The folder that `./calibrations` is looked for in.
  /// - Throws: `StoreError` with the code `noRoot` where nothing names a folder, as in a service
  ///   without `HOME`.
  public init(
    given: String? = nil, environment: [String: String] = StoreRoots.processEnvironment,
    workingFolder: String = "."
  ) throws(StoreError) {
    if let given {
      self.init(writing: given, origin: .given)
    } else if let root = environment["CAMERA_CALIBRATIONS"], !root.isEmpty {
      self.init(writing: root, origin: .environment)
    } else {
      let user = StoreRoots.userRoot(environment)
      let local = workingFolder == "." ? "calibrations" : workingFolder + "/calibrations"
      if Disk.isFolder(local) {
        self.init(writing: local, fallbacks: user.map { [$0] } ?? [], origin: .workingFolder)
      } else if let user {
        self.init(writing: user, origin: .user)
      } else {
        throw StoreError(
          code: .noRoot, subject: "calibration store",
          message: "no folder is known to keep calibrations in: HOME, XDG_DATA_HOME and "
            + "CAMERA_CALIBRATIONS are not set; give a folder with --store")
      }
    }
  }

  private init(writing: String, fallbacks: [String] = [], origin: Origin) {
    // A slash at the end would stand twice in every path that is shown.
    var root = writing[...]
    while root.count > 1, root.hasSuffix("/") { root = root.dropLast() }
    self.writing = String(root)
    self.fallbacks = fallbacks
    self.origin = origin
  }

  /// The user's store; nil where the environment does not say where the user's files are.
  private static func userRoot(_ environment: [String: String]) -> String? {
    // The XDG base directory specification: relative paths are invalid and to be ignored.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return data + "/camera-calibrations"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return (home == "/" ? "" : home) + "/.local/share/camera-calibrations"
  }

  /// Those of this process's environment variables that matter here.
  public static var processEnvironment: [String: String] {
    var values: [String: String] = [:]
    for name in ["CAMERA_CALIBRATIONS", "XDG_DATA_HOME", "HOME", "TMPDIR"] {
      if let value = getenv(name) { values[name] = String(cString: value) }
    }
    return values
  }
}

extension StoreRoots: CustomStringConvertible {
  /// The folder with the reason for it, for example `calibrations (in the working folder)`.
  public var description: String {
    let reason =
      switch origin {
      case .given: "as given"
      case .environment: "from CAMERA_CALIBRATIONS"
      case .workingFolder: "in the working folder"
      case .user: "the user's store"
      }
    return "\(writing) (\(reason))"
  }
}

extension IntrinsicsStore {
  /// Creates a store in the folders that were found.
  public init(_ roots: StoreRoots) {
    self.init(root: roots.writing, fallbackRoots: roots.fallbacks)
  }
}
