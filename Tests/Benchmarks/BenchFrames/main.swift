// Measures the conversion of 1920x1080 frames beside memcpy, OpenCV and turbojpeg; see frames.sh.
//
// Usage: bench-frames PEERS ROUNDS
import CameraModel
import Glibc
import Imaging

let (width, height) = (1920, 1080)
let pixelCount = width * height

guard CommandLine.arguments.count == 3, let rounds = Int(CommandLine.arguments[2]), rounds > 0,
  let peers = Peers(path: CommandLine.arguments[1])
else {
  print("usage: bench-frames PEERS ROUNDS (called by frames.sh)")
  exit(64)
}

func memory(_ count: Int) -> UnsafeMutableRawBufferPointer {
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
  bytes.initializeMemory(as: UInt8.self, repeating: 1)
  return bytes
}

/// Waves and noise: compresses like a picture of a room.
func picture() -> [UInt8] {
  var state: UInt32 = 1
  return (0..<pixelCount).flatMap { index -> [UInt8] in
    let (x, y) = (Double(index % width), Double(index / width))
    let wave = sin(x / 37) * cos(y / 23) + 0.4 * sin((x + y) / 5)
    state = state &* 1_664_525 &+ 1_013_904_223
    let level = 128 + 60 * wave + Double(state >> 28)
    return [UInt8(level), UInt8(level * 0.8), UInt8(255 - level), 255]
  }
}

/// The largest difference of two buffers' bytes.
func difference(_ a: UnsafeMutableRawBufferPointer, _ b: UnsafeMutableRawBufferPointer) -> Int {
  zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
}

func fail(_ error: ImagingError) -> Never {
  print("bench-frames: \(error)")
  exit(1)
}

/// One line: what was measured, what it is divided by, the ratio and its goal.
func report(_ name: String, _ comparison: Comparison, goal: Double?, of index: Int = 1) {
  func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
  let ratio = comparison.ratios[index]
  var line =
    "\(name): \(number(comparison.medians[index])) ms, \(number(ratio))x \(comparison.names[0])"
  line += " (\(number(comparison.medians[0])) ms)"
  if let goal { line += ", goal <= \(number(goal))x: \(ratio <= goal ? "met" : "MISSED")" }
  for other in comparison.names.indices where other != 0 && other != index {
    line += "; \(comparison.names[other]) \(number(comparison.ratios[other]))x"
  }
  print(line)
}

do throws(ImagingError) {
  let converter = FrameConverter()
  let columns = Int32(width)
  let rows = Int32(height)
  let yuyv = memory(2 * pixelCount)
  let copy = memory(2 * pixelCount)
  var state: UInt32 = 7
  for index in yuyv.indices {
    state = state &* 1_664_525 &+ 1_013_904_223
    // From 16 on: OpenCV takes less for black, while the closed form goes on.
    yuyv[index] = UInt8(16 + (state >> 24) % 225)
  }
  let (gray, peerGray) = (memory(pixelCount), memory(pixelCount))
  let (bgra, peerBGRA) = (memory(4 * pixelCount), memory(4 * pixelCount))
  let room = picture()
  guard let yuyvBytes = yuyv.baseAddress, let peerGrayBytes = peerGray.baseAddress,
    let peerBGRABytes = peerBGRA.baseAddress, let copyBytes = copy.baseAddress,
    let bgraBytes = bgra.baseAddress
  else { exit(1) }

  func toGray(_ frame: UnsafeRawBufferPointer, _ layout: FrameLayout) {
    do throws(ImagingError) {
      try converter.writeGray8(of: frame, layout: layout, to: gray, bytesPerRow: width)
    } catch { fail(error) }
  }
  func toBGRA(_ frame: UnsafeRawBufferPointer, _ layout: FrameLayout) {
    do throws(ImagingError) {
      try converter.writeBGRA(of: frame, layout: layout, to: bgra, bytesPerRow: 4 * width)
    } catch { fail(error) }
  }
  print("1920x1080, one thread, median of \(rounds) rounds in turns, processor time:")

  let yuyvLayout = try FrameLayout(format: .yuyv, width: width, height: height)
  let yuyvFrame = UnsafeRawBufferPointer(yuyv)
  var comparison = Comparison()
  comparison.add("memcpy of the YUYV frame") { memcpy(copyBytes, yuyvBytes, 2 * pixelCount) }
  comparison.add("YUYV to grey") { toGray(yuyvFrame, yuyvLayout) }
  comparison.add("cv::cvtColor") { peers.yuyvToGray(yuyvBytes, peerGrayBytes, columns, rows) }
  comparison.run(rounds: rounds)
  report("YUYV to grey", comparison, goal: 0.9)
  let grayDifference = difference(gray, peerGray)

  comparison = Comparison()
  comparison.add("memcpy of the BGRA frame") { memcpy(peerBGRABytes, bgraBytes, 4 * pixelCount) }
  comparison.add("YUYV to BGRA") { toBGRA(yuyvFrame, yuyvLayout) }
  comparison.add("cv::cvtColor") { peers.yuyvToBGRA(yuyvBytes, peerBGRABytes, columns, rows) }
  comparison.run(rounds: rounds)
  report("YUYV to BGRA", comparison, goal: 2)
  let yuyvDifference = difference(bgra, peerBGRA)

  let nv12Layout = try FrameLayout(format: .nv12, width: width, height: height)
  comparison = Comparison()
  comparison.add("memcpy of the BGRA frame") { memcpy(peerBGRABytes, bgraBytes, 4 * pixelCount) }
  comparison.add("NV12 to BGRA") { toBGRA(yuyvFrame, nv12Layout) }
  comparison.add("cv::cvtColor") { peers.nv12ToBGRA(yuyvBytes, peerBGRABytes, columns, rows) }
  comparison.run(rounds: rounds)
  report("NV12 to BGRA", comparison, goal: nil)
  let nv12Difference = difference(bgra, peerBGRA)

  let storage = memory(8 * pixelCount)
  let jpegCount = room.withUnsafeBytes { pixels in
    guard let pixels = pixels.baseAddress, let to = storage.baseAddress else { return 0 }
    return peers.makeJPEG(pixels, columns, rows, 85, to, storage.count)
  }
  let jpegFrame = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage)[..<jpegCount])
  guard let jpegBytes = jpegFrame.baseAddress, jpegCount > 0 else { exit(1) }
  let jpegLayout = try FrameLayout(format: .mjpg, width: width, height: height)
  comparison = Comparison()
  comparison.add("turbojpeg") {
    if peers.jpegToGray(jpegBytes, jpegCount, peerGrayBytes, columns, rows) != 0 { exit(1) }
  }
  comparison.add("MJPG to grey") { toGray(jpegFrame, jpegLayout) }
  comparison.run(rounds: rounds)
  report("MJPG to grey (4:2:2, \(jpegCount / 1000) kB)", comparison, goal: 1.05)
  let jpegGrayDifference = difference(gray, peerGray)

  comparison = Comparison()
  comparison.add("turbojpeg") {
    if peers.jpegToBGRA(jpegBytes, jpegCount, peerBGRABytes, columns, rows) != 0 { exit(1) }
  }
  comparison.add("MJPG to BGRA") { toBGRA(jpegFrame, jpegLayout) }
  comparison.run(rounds: rounds)
  report("MJPG to BGRA", comparison, goal: nil)
  let jpegBGRADifference = difference(bgra, peerBGRA)

  let half = Resolution(width: width / 2, height: height / 2)
  let frameSize = Resolution(width: width, height: height)
  comparison = Comparison()
  comparison.add("memcpy of the BGRA frame") { memcpy(peerBGRABytes, bgraBytes, 4 * pixelCount) }
  comparison.add("BGRA turned to the right") {
    PixelGeometry.orient(
      UnsafeRawBufferPointer(bgra), frameSize, bytesPerRow: 4 * width, from: .right, to: peerBGRA,
      bytesPerRow: 4 * height, bytesPerPixel: 4)
  }
  comparison.add("resized to 960x540") {
    PixelGeometry.resize(
      UnsafeRawBufferPointer(bgra), frameSize, bytesPerRow: 4 * width, to: peerBGRA, half,
      bytesPerRow: 4 * half.width, bytesPerPixel: 4)
  }
  comparison.run(rounds: rounds)
  report("BGRA turned to the right", comparison, goal: nil)

  print(
    "largest difference from cv::cvtColor: YUYV to grey \(grayDifference), to BGRA "
      + "\(yuyvDifference), NV12 to BGRA \(nv12Difference); from turbojpeg: grey "
      + "\(jpegGrayDifference), BGRA \(jpegBGRADifference)")
  // OpenCV rounds at another place; turbojpeg is the same decoder.
  let differences = [grayDifference, jpegGrayDifference, jpegBGRADifference]
  guard differences == [0, 0, 0], max(yuyvDifference, nv12Difference) <= 1 else {
    print("bench-frames: that is more than rounding")
    exit(1)
  }
} catch {
  fail(error)
}
