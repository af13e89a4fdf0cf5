import Foundation
import Testing

@Suite("Architecture")
struct ArchitectureTests {
  @Test("There are sources to check, and every target stands in the table")
  func modules() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: SourceFile.root.appending(path: "Sources").path)
    let known = Set(LayerTable.modules.keys).union(LayerTable.clangTargets)
    #expect(Set(folders.filter { !$0.hasPrefix(".") }) == known)
    #expect(Set(SourceFile.all.map(\.module)) == Set(LayerTable.modules.keys))
  }

  @Test("A file imports what its layer may", arguments: SourceFile.all)
  func imports(file: SourceFile) {
    let allowed =
      LayerTable.system
      .union(LayerTable.modules[file.module] ?? [])
      .union(LayerTable.exceptions[file.path] ?? [])
    #expect(file.imports.subtracting(allowed) == [], "\(file.path) reaches out of its layer")
  }

  @Test("No exception is left over")
  func exceptions() {
    for (path, modules) in LayerTable.exceptions {
      let file = SourceFile.all.first { $0.path == path }
      #expect(file.map { modules.isSubset(of: $0.imports) } == true, "\(path)")
    }
  }

  @Test("The table has no cycles")
  func acyclic() {
    for module in LayerTable.modules.keys {
      #expect(!reachable(from: module).contains(module), "\(module) imports itself in the end")
    }
  }

  @Test("OpenCV is out of reach for the library and the quick commands")
  func openCV() {
    #expect(reachable(from: "calibrate").contains("OpenCVBridge"))
    for module in LayerTable.withoutOpenCV {
      #expect(!reachable(from: module).contains("OpenCVBridge"), "\(module)")
    }
  }

  @Test("Only one module imports the bridge")
  func bridge() {
    let importers = SourceFile.all.filter { $0.imports.contains("OpenCVBridge") }.map(\.module)
    #expect(Set(importers).isSubset(of: ["OpenCV"]))
  }

  @Test("No type has its module's name", arguments: SourceFile.all)
  func typeNames(file: SourceFile) {
    #expect(!file.declaredTypes.contains(file.module), "\(file.path)")
  }

  @Test("A file holds one idea", arguments: SourceFile.all)
  func length(file: SourceFile) {
    guard LayerTable.longFiles[file.path] == nil else { return }
    #expect(file.lines.count <= LayerTable.longestFile, "\(file.path): \(file.lines.count) lines")
  }

  @Test("No force, no unchecked promise without a proof", arguments: SourceFile.all)
  func promises(file: SourceFile) {
    for (index, line) in file.lines.enumerated() where !line.contains("//") {
      #expect(!line.contains("try!"), "\(file.path):\(index + 1)")
      guard line.contains("@unchecked Sendable") else { continue }
      let near = file.lines[max(0, index - 8)..<min(file.lines.count, index + 6)]
      #expect(
        near.contains { $0.contains("//") && $0.contains("Sendable") },
        "\(file.path):\(index + 1): say in a comment why it is Sendable")
    }
  }

  @Test(
    "Imports are recognised",
    arguments: [
      ("import A", "A"), ("public import A", "A"), ("@testable import A", "A"),
      ("import struct A.B", "A"), ("@preconcurrency package import A", "A"), ("// import A", nil),
      ("let x = 1", nil),
    ] as [(String, String?)])
  func parsing(line: String, module: String?) {
    #expect(SourceFile.importedModule(in: line) == module)
  }

  /// The modules that a module reaches through imports of the table.
  private func reachable(from module: String) -> Set<String> {
    var found: Set<String> = []
    var open = Array(LayerTable.modules[module] ?? [])
    while let next = open.popLast() {
      if found.insert(next).inserted { open += LayerTable.modules[next] ?? [] }
    }
    return found
  }
}
