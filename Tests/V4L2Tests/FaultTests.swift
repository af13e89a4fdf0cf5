import CameraModel
import FakeV4L2
import Glibc
import Imaging
import Testing

@testable import V4L2

@Suite("When a system call fails")
struct FaultTests {
  /// The whole life of a capture.
  private func live(_ system: FakeSystem) throws(V4L2Error) {
    let node = try VideoNode(path: "/dev/video0", calls: system.calls)
    _ = try node.offeredFormats()
    _ = try node.controls()
    let format = try node.negotiate(
      pixelFormat: .yuyv, resolution: Resolution(width: 320, height: 240),
      frameInterval: FrameInterval(numerator: 1, denominator: 15))
    _ = try node.watchLensControls()
    let hold = try CalibrationHold(node)
    _ = try node.lensControlValues()
    let stream = try VideoStream(node, format: format, noFramesAfterMilliseconds: 20)
    for _ in 0..<6 {
      let frame = try stream.dequeue(timeoutMilliseconds: 20)
      frame?.buffer.release()
    }
    stream.stop()
    hold.release()
  }

  @Test(
    "it is an error with a reason, and nothing is left open or mapped",
    arguments: FakeCall.allCases,
    [EIO, ENODEV, EBUSY, EACCES, ENOMEM, EINVAL, ENOSPC, ENOTTY, EMFILE, EPERM, EFAULT])
  func anywhere(call: FakeCall, number: Int32) throws {
    // The first call fails, or a later one, or all of them.
    for (skipped, times) in [(0, 1), (1, 1), (3, 1), (0, Int.max)] {
      let camera = FakeCamera(FakeDescription(controls: .webcam))
      let system = FakeSystem(["/dev/video0": camera])
      camera.fail(call, with: number, afterCalls: skipped, times: times)
      do {
        try live(system)
      } catch {
        #expect(error.subject == "/dev/video0")
        #expect(error.message.count > 20, "\(error)")
      }
      #expect(system.openDescriptorCount == 0)
      #expect(system.mappingCount == 0)
      #expect(!camera.isStreaming)
    }
  }

  private func failure(
    _ call: FakeCall, _ number: Int32, skipped: Int = 0
  ) throws -> V4L2Error {
    let camera = FakeCamera(FakeDescription(controls: .webcam))
    camera.fail(call, with: number, afterCalls: skipped)
    return try #require(throws: V4L2Error.self) { try live(FakeSystem(["/dev/video0": camera])) }
  }

  /// Pain 59: people looked at their disks.
  @Test("STREAMON without space means the USB bus, and the message proposes what helps")
  func bandwidth() throws {
    let error = try failure(.streamOn, ENOSPC)
    #expect(error.code == .noBandwidth)
    for word in ["USB", "MJPG", "rate", "port", "the disk is not meant"] {
      #expect(error.message.contains(word))
    }
    #expect(!error.message.contains("No space left"))
  }

  @Test("permission names the group, also in containers")
  func permission() throws {
    for number in [EACCES, EPERM] {
      let error = try failure(.open, number)
      #expect(error.code == .noPermission)
      #expect(error.message.contains("group video"))
      #expect(error.message.contains("usermod -aG video"))
      #expect(error.systemError == number)
    }
  }

  @Test(
    "busy names what to do, wherever it shows",
    arguments: [FakeCall.open, .setFormat, .requestBuffers, .streamOn])
  func busy(call: FakeCall) throws {
    let error = try failure(call, EBUSY)
    #expect(error.code == .busy)
    #expect(error.message.contains("another program"))
  }

  @Test(
    "a camera that is gone is unplugged, wherever it shows",
    arguments: FakeCall.allCases.filter {
      ![.close, .unmap, .streamOff, .unsubscribe, .queryMenu, .dequeueEvent].contains($0)
    })
  func gone(call: FakeCall) throws {
    let error = try failure(call, ENODEV)
    #expect(error.code == .unplugged)
    #expect(error.message.contains("unplugged"))
  }

  @Test("each kind of failure has a message of its own")
  func distinct() throws {
    let errors = [
      try failure(.open, ENOENT), try failure(.open, EACCES), try failure(.open, EBUSY),
      try failure(.open, ENODEV), try failure(.queryCapabilities, ENOTTY),
      try failure(.streamOn, ENOSPC), try failure(.dequeue, EIO),
      try failure(.requestBuffers, ENOMEM), try failure(.map, EMFILE),
    ]
    #expect(
      errors.map(\.code) == [
        .missing, .noPermission, .busy, .unplugged, .notAVideoDevice, .noBandwidth, .hardware,
        .outOfResources, .outOfResources,
      ])
    #expect(Set(errors.map(\.message)).count == errors.count)
  }

  @Test("a file that does not exist, and one that is no device, are told apart")
  func noDevice() throws {
    let missing = try #require(throws: V4L2Error.self) { try VideoNode(path: "/dev/video987") }
    #expect(missing.code == .missing)
    #expect(missing.message.contains("list-cameras"))
    let null = try #require(throws: V4L2Error.self) { try VideoNode(path: "/dev/null") }
    #expect(null.code == .notAVideoDevice)
    let folder = try #require(throws: V4L2Error.self) { try VideoNode(path: "/dev/null/x") }
    #expect(folder.code == .missing)
  }

  @Test("what is no camera says so by what the node itself can do")
  func kinds() throws {
    for (driver, own, code, word) in [
      ("uvcvideo", 0x04A0_0000, .metadataNode, "metadata"),
      ("v4l2 loopback", 0x0420_0002, .notACamera, "start"),
      ("bcm2835-codec", 0x0420_4000, .notACamera, "captures no pictures"),
      ("vivid", 0x0420_1000, .unsupportedDevice, "planes"),
      ("old", 0x0100_0001, .unsupportedDevice, "mapped buffers"),
      ("unicam", 0x2420_0001, .needsLibcamera, "libcamera"),
    ] as [(String, UInt32, V4L2Error.Code, String)] {
      let description = FakeDescription(
        driver: driver, capabilities: 0x84A0_0001, deviceCapabilities: own)
      let system = FakeSystem(["/dev/video1": FakeCamera(description)])
      let error = try #require(throws: V4L2Error.self) {
        try VideoNode(path: "/dev/video1", calls: system.calls)
      }
      #expect(error.code == code, "\(driver)")
      #expect(error.message.contains(word), "\(error)")
      #expect(system.openDescriptorCount == 0)
      let node = try VideoNode(anyDevice: "/dev/video1", calls: system.calls)
      #expect(node.capabilities.isMetadata == (code == .metadataNode))
    }
  }

  @Test("a late failure of giving a buffer back is told to whoever waits next")
  func lateQueue() throws {
    let rig = try Rig()
    let frame = try rig.next()
    rig.camera.fail(.queue, with: EIO, times: 1)
    frame.release()
    let error = try #require(throws: V4L2Error.self) { try rig.next() }
    #expect(error.code == .hardware)
    #expect(try rig.next().bytes.count > 0)
  }

  @Test("a driver's lists that never end are cut")
  func endlessLists() throws {
    let sizes = (0..<2000).map { FakeDescription.Size(UInt32($0 + 1), 8, rates: [5]) }
    let camera = FakeCamera(FakeDescription(formats: [.init("GREY", sizes: sizes)]))
    let system = FakeSystem(["/dev/video0": camera])
    let node = try VideoNode(path: "/dev/video0", calls: system.calls)
    #expect(try node.offeredFormats()[0].sizes.count == 1024)
  }
}
