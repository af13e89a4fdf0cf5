// Takes frames from a camera by the module V4L2 alone and says what came, a line a frame; for checks of
// that module with real drivers. With FOLDER so many whole frames are written there as grey PGM files,
// however many are damaged, old or overwritten between them.
//
// Usage: camera-probe NODE FORMAT WIDTHxHEIGHT FRAMES [FOLDER]
//
// Status 1: an error, whose code begins the line on standard error; 64: usage.

import CameraModel
import FoundationEssentials
import Glibc
import Imaging
import V4L2

struct Overwritten: Error {}

struct Probe {
  var node: VideoNode
  var format: VideoFormat
  var frames: Int
  var folder: String?

  init?(_ arguments: [String]) throws {
    let size = arguments.count >= 4 ? arguments[2].split(separator: "x").compactMap { Int($0) } : []
    guard (4...5).contains(arguments.count), size.count == 2, let frames = Int(arguments[3]),
      let pixelFormat = NativePixelFormat(arguments[1])
    else { return nil }
    self.frames = frames
    folder = arguments.count == 5 ? arguments[4] : nil
    node = try VideoNode(path: arguments[0])
    format = try node.negotiate(
      pixelFormat: pixelFormat, resolution: Resolution(width: size[0], height: size[1]))
  }

  func run() throws {
    say("format \(format)")
    // Emulated cameras are late now and then, by seconds where the machine is busy.
    let stream = try VideoStream(node, format: format, noFramesAfterMilliseconds: 8000)
    defer { stream.stop() }
    let layout = try FrameLayout(
      format: format.pixelFormat, resolution: format.resolution, bytesPerRow: format.bytesPerRow)
    let converter = FrameConverter()
    var count = 0
    while count < frames {
      guard let frame = try next(stream) else { continue }
      let details = frame.buffer.details
      var marks: [String] = []
      if details.isCorrupt { marks.append("corrupt") }
      if details.isTruncated { marks.append("truncated") }
      if details.isStale { marks.append("stale") }
      do {
        _ = try layout.completeFrame(in: frame.buffer.bytes)
        if let folder, marks.isEmpty {
          let image = try converter.grayImage(of: frame.buffer.bytes, layout: layout)
          // v4l2loopback writes on into what it has lent.
          guard !frame.buffer.isOverwritten else { throw Overwritten() }
          let head = "P5 \(image.width) \(image.height) 255\n"
          try Data(Array(head.utf8) + image.pixels).write(
            to: URL(filePath: "\(folder)/\(count).pgm"))
        }
      } catch let error as ImagingError {
        marks.append(frame.buffer.isOverwritten ? "overwritten" : error.code.rawValue)
      } catch is Overwritten {
        marks.append("overwritten")
      }
      let fields = ["frame", "\(details.sequence)", "missed", "\(frame.missedBefore)"] + marks
      say(fields.joined(separator: " "))
      frame.buffer.release()
      if folder == nil || marks.isEmpty { count += 1 }
    }
    say("missed \(stream.missedFrameCount)")
  }

  /// Waits in short steps, as `noFrames` is told at a step's end only.
  private func next(_ stream: VideoStream) throws -> DequeuedBuffer? {
    while true {
      if let frame = try stream.dequeue(timeoutMilliseconds: 500) { return frame }
    }
  }
}

/// Prints a line at once: a check may be waiting for it.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

do {
  guard let probe = try Probe(Array(CommandLine.arguments.dropFirst())) else { exit(64) }
  try probe.run()
} catch let error as V4L2Error {
  let line = Array("\(error.code.rawValue) \(error)\n".utf8)
  _ = write(2, line, line.count)
  exit(1)
}
