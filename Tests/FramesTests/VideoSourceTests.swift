import CalibrationStore
import CameraModel
import Foundation
import Frames
import Imaging
import Testing

/// Whether the programs are installed, and able to write the videos that the tests read.
enum VideoSamples {
  static let canEncode: Bool = {
    do throws(Subprocess.Failure) {
      var process = try Subprocess(program: "ffmpeg", arguments: ["-v", "quiet", "-encoders"])
      let list = String(
        decoding: try process.readAll(atMost: 1 << 20, waitingAtMost: 30), as: UTF8.self)
      return list.contains(" mpeg4 ") && list.contains(" ffv1 ")
    } catch {
      print("SKIPPED: tests of videos: ffmpeg is not installed")
      return false
    }
  }()

  /// Encodes 30 frames of 64x48, frame n having the grey value 16 + 7n.
  static func make(_ path: String, _ arguments: [String]) throws {
    let source = "color=black:s=64x48:r=10:d=3,format=gray,geq=lum=16+7*N"
    var process = try Subprocess(
      program: "ffmpeg",
      arguments: ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source] + arguments + [path]
    )
    _ = try process.readAll(atMost: 1 << 20, waitingAtMost: 30)
    try #require(process.wait() == .exited(0), "\(process.complaint)")
  }
}

@Suite(.enabled(if: VideoSamples.canEncode, "needs the program ffmpeg"))
struct VideoSourceTests {
  let folder: PhotographFolder

  init() throws { folder = try PhotographFolder(named: "Clips") }

  private func video(_ name: String, _ arguments: [String]) throws -> String {
    let path = folder.path + "/" + name
    try VideoSamples.make(path, arguments)
    return path
  }

  /// The mean grey value of each frame.
  private func levels(_ source: inout VideoSource) throws -> [Int] {
    var levels: [Int] = []
    while let frame = try source.next() {
      let pixels = try frame.grayImage().pixels
      levels.append(pixels.reduce(0) { $0 + Int($1) } / pixels.count)
    }
    return levels
  }

  /// A single key frame at the start: a seek near the end would find nothing (pain 12).
  @Test func everyFrameArrivesThoughTheOnlyKeyFrameIsEarly() throws {
    let path = try video("-one key.mp4", ["-c:v", "mpeg4", "-g", "1000", "-q:v", "1"])
    var source = try VideoSource(path: path)
    #expect(source.resolution == Resolution(width: 64, height: 48))
    #expect(source.pixelFormat == "mpeg4" && source.expectedCount == 30)
    #expect(source.identity.id.rawValue == "name:clips")
    let levels = try levels(&source)
    #expect(levels.count == 30 && source.setAside.isEmpty)
    for (index, level) in levels.enumerated() {
      // Lossy, at nearly the best quality.
      #expect(abs(level - (16 + 7 * index)) <= 3, "frame \(index)")
    }
  }

  @Test func aStepBeyondTheEndIsSaid() throws {
    let path = try video("short.mkv", ["-pix_fmt", "gray", "-c:v", "ffv1"])
    let source = try VideoSource(path: path, every: 31)
    #expect(source.notices.count == 1 && source.notices[0].contains("has 30 frames"))
    #expect(try VideoSource(path: path, every: 15).notices == [])
  }

  @Test func framesAreExactAndEveryNthIsTaken() throws {
    let path = try video("a.mkv", ["-pix_fmt", "gray", "-c:v", "ffv1"])
    var source = try VideoSource(path: path, every: 7)
    #expect(source.expectedCount == 5)
    let firstFrame = try source.next()
    let first = try #require(firstFrame)
    #expect(first.name == path + "#0" && first.index == 0)
    let secondFrame = try source.next()
    let second = try #require(secondFrame)
    #expect(second.name == path + "#7" && second.index == 7)
    #expect(try second.grayImage().pixels.allSatisfy { $0 == 16 + 7 * 7 })
    let rest = try levels(&source)
    #expect(rest == [14, 21, 28].map { 16 + 7 * $0 })
    let end = try source.next()
    #expect(end == nil)
  }

  @Test func rotationIsIgnoredAndSaid() throws {
    let path = try video("plain.mp4", ["-c:v", "mpeg4"])
    let turned = folder.path + "/turned.mp4"
    var process = try Subprocess(
      program: "ffmpeg",
      arguments: [
        "-nostdin", "-v", "error", "-i", path, "-c", "copy", "-metadata:s:v", "rotate=90", turned,
      ])
    _ = process.wait()
    let source = try VideoSource(path: turned)
    #expect(source.resolution == Resolution(width: 64, height: 48))
    // Newer ffmpeg programs write no such mark from this option.
    if !source.notices.isEmpty {
      #expect(source.notices[0].contains("rotation"))
    }
  }

  @Test func videoThatEndsEarlyIsReported() throws {
    let path = try video("a.mkv", ["-pix_fmt", "gray", "-c:v", "ffv1"])
    let bytes = try Data(contentsOf: URL(filePath: path))
    let cut = try folder.write(Array(bytes.prefix(bytes.count * 6 / 10)), to: "cut.mkv")
    var source = try VideoSource(path: cut)
    let levels = try levels(&source)
    #expect((5..<30).contains(levels.count))
    // No frame that was given is a damaged one.
    #expect(levels == levels.indices.map { 16 + 7 * $0 })
    let entry = try #require(source.setAside.first)
    #expect(entry.source == "\(cut)#\(levels.count)" && entry.reason.contains("damaged"))
  }

  @Test func whatHoldsNoFramesIsAnError() throws {
    let path = try video("a.mkv", ["-pix_fmt", "gray", "-c:v", "ffv1"])
    let bytes = try Data(contentsOf: URL(filePath: path))
    let start = try folder.write(Array(bytes.prefix(400)), to: "start.mkv")
    let error = #expect(throws: FramesError.self) { try VideoSource(path: start) }
    #expect(error?.code == .noFrames && error?.source == start)
    let text = try folder.write(Array("no video".utf8), to: "text.mp4")
    #expect(#expect(throws: FramesError.self) { try VideoSource(path: text) }?.code == .noFrames)
    let missing = #expect(throws: FramesError.self) { try VideoSource(path: path + "x") }
    #expect(missing?.code == .notFound)
    #expect(throws: FramesError.self) { try VideoSource(path: path, every: 0) }
    let other = Resolution(width: 1, height: 1)
    let size = #expect(throws: FramesError.self) {
      try VideoSource(path: path, resolution: other)
    }
    #expect(size?.code == .noSuchSize)
  }

  @Test func contentDecidesHowASourceIsOpened() throws {
    let clip = try video("clip.jpg", ["-pix_fmt", "gray", "-c:v", "ffv1", "-f", "matroska"])
    let photograph = try folder.add("photo.mkv")
    #expect(try FrameSourceOptions().open([clip]) is VideoSource)
    #expect(try FrameSourceOptions().open([photograph]) is PhotographSource)
    let error = #expect(throws: FramesError.self) {
      try FrameSourceOptions().open([photograph, clip])
    }
    #expect(error?.code == .badRequest)
  }
}
