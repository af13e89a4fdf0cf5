import FoundationEssentials
import Testing

/// Compares a text with the file that was recorded of it; `RECORD_GOLDEN=1` records it anew.
func expectGolden(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
  let file = folder.appending(path: name)
  if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return
  }
  let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  let found = text.split(separator: "\n", omittingEmptySubsequences: false)
  let wanted = recorded.split(separator: "\n", omittingEmptySubsequences: false)
  let line = zip(found, wanted).enumerated().first { $0.element.0 != $0.element.1 }
  #expect(
    text == recorded,
    """
    \(name) differs\(line.map { " in line \($0.offset + 1): found '\($0.element.0)'" } ?? " in length"); \
    after a wanted change, record it with RECORD_GOLDEN=1
    """, sourceLocation: sourceLocation)
}
