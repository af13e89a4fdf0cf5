import BoardRendering
import Foundation
import Imaging
import Testing

/// The committed sample frames against what the renderer makes today.
///
/// With CAMERA_INTRINSICS_RECORD set (`make samples`) the frames and their truth are written anew.
@Suite("Sample sequence", .serialized)
struct SampleSequenceTests {
  private static let sequence = SampleSequence()
  private var sequence: SampleSequence { Self.sequence }
  private var folder: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "samples/board-sequence")
  }

  @Test(
    "is written anew",
    .enabled(
      if: ProcessInfo.processInfo.environment["CAMERA_INTRINSICS_RECORD"] != nil,
      "set CAMERA_INTRINSICS_RECORD to write the sample frames"))
  func record() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (index, name) in sequence.fileNames.enumerated() {
      try sequence.image(index).writePNG(toFileAt: folder.appending(path: name).path)
    }
    try Data(sequence.truth.json.utf8).write(to: folder.appending(path: "truth.json"))
  }

  @Test("the committed frames are what the renderer makes, within a grey level", arguments: 0..<14)
  func frames(index: Int) throws {
    let path = folder.appending(path: sequence.fileNames[index]).path
    let stored = try ImageFile.grayImage(ofFileAt: path)
    let rendered = sequence.image(index)
    #expect(stored.width == rendered.width && stored.height == rendered.height)
    let worst = worstDifference(stored.pixels, rendered.pixels)
    // Another machine's `pow` and `log` may round the other way; no more than that.
    #expect(worst <= 1, "differs by \(worst) grey levels; if meant, run 'make samples'")
  }

  @Test("the committed truth is that of the frames")
  func truth() throws {
    let data = try Data(contentsOf: folder.appending(path: "truth.json"))
    let stored = try JSONDecoder().decode(SampleTruth.self, from: data)
    let truth = sequence.truth
    #expect(stored.camera == truth.camera && stored.board == truth.board)
    #expect(stored.frames.map(\.file) == truth.frames.map(\.file))
    for (a, b) in zip(stored.frames, truth.frames) {
      let numbers = zip(
        a.rotation + a.translation + a.corners.flatMap { $0 },
        b.rotation + b.translation + b.corners.flatMap { $0 })
      #expect(numbers.allSatisfy { abs($0 - $1) < 1e-9 })
      #expect(a.corners.count == 54)
    }
  }

  @Test("no frame is there without its truth, and all together stay small")
  func files() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == Set(sequence.fileNames + ["truth.json", "README.md"]))
    let sizes = try names.map {
      try Data(contentsOf: folder.appending(path: $0)).count
    }
    #expect(sizes.reduce(0, +) < 1_500_000)
  }

  @Test("the poses make a good calibration: many, tilted, out to the image's corners")
  func poses() {
    #expect(sequence.poses.count == 14)
    let tilts = sequence.poses.map { acos($0.transform.rotation.rows.2.z) * 180 / .pi }
    #expect(tilts.count { $0 > 30 } >= 8 && tilts.allSatisfy { $0 < 45.5 })
    let corners = (0..<14).flatMap { sequence.scene($0).corners.compactMap { $0 } }
    for (x, y) in [(0.0, 0.0), (639, 0), (639, 479), (0, 479)] {
      let nearest = corners.map { hypot($0.x - x, $0.y - y) }.min() ?? .infinity
      #expect(nearest < 40, "no corner within 40 px of (\(x), \(y)): \(nearest)")
    }
  }
}
