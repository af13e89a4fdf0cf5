import Glibc

/// Expansion of shell patterns that reach the program unexpanded (quoted, or from another program).
enum GlobPattern {
  /// Whether `path` holds a character that a pattern could mean.
  static func isPattern(_ path: String) -> Bool {
    path.utf8.contains {
      $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[")
    }
  }

  /// The existing paths that `pattern` matches, unordered, by the rules of glob(7): `*`, `?` and
  /// `[…]` within one name each; a leading dot only by a dot.
  static func matches(_ pattern: String) -> [FolderListing.Entry] {
    var result = glob_t()
    defer { globfree(&result) }
    guard glob(pattern, GLOB_NOSORT, nil, &result) == 0 else { return [] }
    return (0..<Int(result.gl_pathc)).compactMap { index in
      guard let path = result.gl_pathv[index] else { return nil }
      let exact = String(validatingCString: path)
      return FolderListing.Entry(name: exact ?? String(cString: path), isFaithful: exact != nil)
    }
  }
}
