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
    noFramesAfterMilliseconds: Int = 60_000
  ) throws {
    self.camera = camera
    system = FakeSystem(["/dev/video0": camera])
    let node = try VideoNode(path: "/dev/video0", calls: system.calls)
    let format = try node.negotiate(pixelFormat: format, resolution: resolution)
    stream = try VideoStream(
      node, format: format, bufferCount: bufferCount,
      noFramesAfterMilliseconds: noFramesAfterMilliseconds)
  }

  func next(_ timeout: Int = 10_000) throws -> LeasedBuffer {
    try #require(try stream.dequeue(timeoutMilliseconds: timeout)).buffer
  }
}

/// A thread that can be waited for.
final class Thread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      }, work)
    #expect(status == 0)
  }

  func join() { pthread_join(thread, nil) }
}
