import Foundation
import Testing

/// What the manifest comes to, as SwiftPM sees it.
@Suite("Dependencies of targets")
struct TargetDependencyTests {
  private struct Manifest: Decodable {
    struct Target: Decodable {
      struct Dependency: Decodable {
        var byName: [String?]
      }
      var name: String
      var dependencies: [Dependency]
    }
    var targets: [Target]
  }

  /// SwiftPM does not look further than what a target names when it decides what to build anew.
  @Test("A target names all that the modules it names rest on, so that none keeps an old layout")
  func closure() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path(percentEncoded: false)
    let scratch = FileManager.default.temporaryDirectory.appending(path: "manifest-\(UUID())")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", root, "--scratch-path",
      scratch.path(percentEncoded: false), "dump-package",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let manifest = try JSONDecoder().decode(Manifest.self, from: data)
    let named = Dictionary(
      uniqueKeysWithValues: manifest.targets.map { target in
        (target.name, Set(target.dependencies.compactMap { $0.byName.first ?? nil }))
      })
    try #require(named["read-intrinsics"]?.contains("CameraIntrinsics") == true)
    for (target, dependencies) in named {
      for dependency in dependencies {
        let missing = named[dependency, default: []].subtracting(dependencies)
        #expect(missing.isEmpty, "\(target) names \(dependency), but not its \(missing.sorted())")
      }
    }
  }
}
