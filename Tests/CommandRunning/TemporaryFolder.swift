import Foundation

/// A folder that is removed with its content when the last reference goes.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// Makes a folder; photographs in it are filed under `name` unless they say something else.
  package init(named name: String = "calibrate") throws {
    let parent = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let folder = parent.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path(percentEncoded: false).trimmingSuffix("/")
  }

  deinit {
    let parent = URL(filePath: path).deletingLastPathComponent()
    try? FileManager.default.removeItem(at: parent)
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
