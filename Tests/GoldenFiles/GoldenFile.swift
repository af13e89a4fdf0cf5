import Foundation

/// A file that holds what a text looked like when someone last looked at it.
///
/// Lies in the folder `Golden` beside the test's source. `RECORD_GOLDEN=1` records it anew.
package struct GoldenFile: Sendable {
  private let file: URL

  /// Names a file beside the test's source.
  package init(_ name: String, beside source: String = #filePath) {
    file = URL(filePath: source).deletingLastPathComponent().appending(path: "Golden/" + name)
  }

  /// How a text differs from the recorded one, in a line; nil where it doesn't or was just recorded.
  package func difference(from text: String) throws -> String? {
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return nil
    }
    let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    if recorded == text { return nil }
    let found = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = recorded.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(found, wanted).enumerated().first { $0.element.0 != $0.element.1 }
    let place = line.map { "line \($0.offset + 1) is '\($0.element.0)'" } ?? "lengths differ"
    return "\(file.lastPathComponent): \(place); RECORD_GOLDEN=1 records a wanted change"
  }
}
