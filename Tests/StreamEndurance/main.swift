import CameraModel
import FakeV4L2
import Glibc
import Imaging
import V4L2

// Takes frames in a process of its own, where nothing else opens files or takes memory:
// `stream-endurance FRAMES` prints descriptors, mappings and kilobytes before and after.

/// How many descriptors the process has.
func descriptorCount() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return 0 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}

/// The second number of /proc/self/statm: the pages in memory.
func residentKilobytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var bytes = [CChar](repeating: 0, count: 200)
  guard fgets(&bytes, 200, file) != nil else { return 0 }
  let text = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
}

guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]) else { exit(64) }
let system = FakeSystem([
  "/dev/video0": FakeCamera(
    FakeDescription(formats: [.init("YUYV", sizes: [.init(64, 48)])]))
])
do {
  let node = try VideoNode(path: "/dev/video0", calls: system.calls)
  let stream = try VideoStream(
    node,
    format: try node.negotiate(
      pixelFormat: .yuyv, resolution: Resolution(width: 64, height: 48)))
  var held: [LeasedBuffer] = []
  func take(_ count: Int) throws {
    for number in 0..<count {
      guard let frame = try stream.dequeue(timeoutMilliseconds: 10_000) else { exit(1) }
      held.append(frame.buffer)
      // Some are given back early, some late, some twice.
      if number % 3 == 0 { frame.buffer.release() }
      if held.count > 2 { held.removeFirst().release() }
    }
  }
  // What a process allocates once for all.
  try take(1000)
  print(descriptorCount(), system.mappingCount, residentKilobytes())
  try take(count)
  print(descriptorCount(), system.mappingCount, residentKilobytes())
  held.removeAll()
  print(stream.usage.queued, stream.usage.leased, stream.missedFrameCount)
} catch {
  print(error)
  exit(1)
}
