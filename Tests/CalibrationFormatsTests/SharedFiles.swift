import Glibc
import TestSupport

/// The folder of real parameter files that many programs wrote; it stands beside the package.
enum SharedFiles {
  static let parameterFolder = SharedData.path("params")

  /// Whether the files are there; tests that need them are skipped, and say so, where not.
  static var exist: Bool { SharedData.isPresent }

  static func path(_ name: String) -> String { parameterFolder + "/" + name }

  /// The names of all parameter files.
  static func names() -> Set<String> {
    guard let folder = opendir(parameterFolder) else { return [] }
    defer { closedir(folder) }
    var names: Set<String> = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix("."), name != "SOURCE.md" { names.insert(name) }
    }
    return names
  }
}

/// Whether the long tests are asked for (`make test-long`).
let longTestsAreOn = getenv("CAMERA_INTRINSICS_LONG_TESTS") != nil

/// A file's bytes.
func bytes(ofFileAt path: String) throws -> [UInt8] {
  guard let file = fopen(path, "rb") else { throw NoFile(path: path) }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
  return bytes
}

struct NoFile: Error { var path: String }
