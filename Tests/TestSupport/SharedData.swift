import Foundation

/// The real photographs that lie beside the package, where they do.
package enum SharedData {
  /// The folder, or nil: from the environment, else `../shared` beside the package.
  package static let root: String? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path =
      ProcessInfo.processInfo.environment["CAMERA_INTRINSICS_SHARED"]
      ?? package.deletingLastPathComponent().appending(path: "shared").path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path + "/data/README.md") else {
      print("SKIPPED: tests on real photographs: no shared data at \(path)")
      return nil
    }
    return path + "/data"
  }()

  /// Whether it is there.
  package static var isPresent: Bool { root != nil }

  /// The path of a file in it.
  package static func path(_ name: String) -> String { (root ?? "") + "/" + name }
}
