import Glibc

/// Where paths lead.
package enum RealPath {
  /// The path without symbolic links and `..`; nil where it leads nowhere.
  package static func of(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
