import CameraModel
import FakeV4L2
import Glibc
import Imaging
import Testing

@testable import V4L2

/// A started stream over a fake camera, and what it stands on.
struct Rig {
  let camera: FakeCamera
  let system: FakeSystem
  let stream: VideoStream

  init(
    _ camera: FakeCamera = FakeCamera(), format: NativePixelFormat = .yuyv,
    resolution: Resolution = Resolution(width: 640, height: 480), bufferCount: Int = 4,
    noFramesAfterMilliseconds: Int = 5000
  ) throws {
    self.camera = camera
    system = FakeSystem(["/dev/video0": camera])
    let node = try VideoNode(path: "/dev/video0", calls: system.calls)
    let format = try node.negotiate(pixelFormat: format, resolution: resolution)
    stream = try VideoStream(
      node, format: format, bufferCount: bufferCount,
      noFramesAfterMilliseconds: noFramesAfterMilliseconds)
  }

  func next(_ timeout: Int = 1000) throws -> LeasedBuffer {
    try #require(try stream.dequeue(timeoutMilliseconds: timeout)).buffer
  }
}

@Suite("A stream")
struct StreamTests {
  @Test("hands out the driver's frames in their order")
  func frames() throws {
    let rig = try Rig()
    for number in 0..<20 {
      let frame = try rig.next()
      #expect(frame.sequence == UInt32(number))
      #expect(frame.bytes.count == 640 * 480 * 2)
      #expect(frame.bytes[0] == UInt8(number))
      #expect(frame.details.clock == .monotonic)
      #expect(frame.details.instant == .startOfExposure)
      #expect(!frame.details.isUnusable)
    }
    #expect(rig.stream.missedFrameCount == 0)
  }
}
