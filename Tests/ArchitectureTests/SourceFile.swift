import Foundation
import Testing

/// A Swift source of this package.
struct SourceFile: Sendable, CustomTestStringConvertible {
  /// The module (the folder under `Sources`).
  var module: String
  /// `MODULE/…/NAME.swift`.
  var path: String
  var lines: [Substring]

  var testDescription: String { path }

  /// The folder that holds `Sources`.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Every Swift source under `Sources`, sorted by path.
  static let all: [SourceFile] = {
    let sources = root.appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      guard let data = FileManager.default.contents(atPath: sources.path + "/" + path) else {
        return nil
      }
      let text = String(decoding: data, as: UTF8.self)
      return SourceFile(
        module: String(path.prefix { $0 != "/" }), path: path,
        lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }()

  /// The modules that the file imports.
  var imports: Set<String> { Set(lines.compactMap { Self.importedModule(in: $0) }) }

  /// The types that the file declares, extensions not counted.
  var declaredTypes: [String] {
    lines.compactMap { line in
      let words = line.split(separator: " ")
      guard
        let keyword = words.firstIndex(where: {
          ["struct", "class", "enum", "actor", "protocol"].contains($0)
        }),
        words[..<keyword].allSatisfy(Self.modifiers.contains), keyword + 1 < words.count
      else { return nil }
      return String(words[keyword + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "private", "fileprivate", "final", "indirect", "open",
  ]

  /// `import A`, `public import A`, `@testable import A`, `import struct A.B`.
  static func importedModule(in line: some StringProtocol) -> String? {
    var words = line.split(separator: " ").map { String($0) }
    while let first = words.first,
      first.hasPrefix("@")
        || ["public", "package", "internal", "private", "fileprivate"].contains(first)
    { words.removeFirst() }
    guard words.first == "import", words.count > 1 else { return nil }
    words.removeFirst()
    if ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"].contains(words[0])
    {
      words.removeFirst()
    }
    return words.first.map { String($0.prefix { $0 != "." && $0 != ";" }) }
  }
}
