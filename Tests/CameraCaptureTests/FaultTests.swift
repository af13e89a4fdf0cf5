import CalibrationStore
import CameraCapture
import CameraModel
import Dispatch
import FakeV4L2
import Glibc
import Imaging
import Testing

@Suite("Cameras that fail")
struct FaultTests {
  @Test("a camera that is unplugged ends the session with a notice, and leaves nothing behind")
  func unplug() throws {
    let rig = try Rig()
    let notices = Notices(rig.session)
    let collector = Collector(keepsLast: true)
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    #expect(collector.waits(forFrames: 10))
    rig.camera.unplug()
    let notice = notices.waits(for: .runtimeError)
    #expect(notice?.error?.code == .unplugged)
    #expect(eventually { !rig.session.isRunning })
    #expect(rig.session.runtimeError?.code == .unplugged)
    // The consumer still has a frame of a camera that is gone.
    let last = try #require(collector.last)
    #expect(try last.imageBuffer.withUnsafeBytes { $0.count } == 4 * 640 * 480)
    collector.forget()
    rig.session.stopRunning()
    #expect(eventually { rig.cameras.system.openDescriptorCount == 0 })
  }

  @Test("unplugging is told at once, also while the consumer keeps all frames that it may have")
  func unplugWhileFull() throws {
    let rig = try Rig()
    let notices = Notices(rig.session)
    let mayGoOn = Gate()
    let collector = Collector { _ in mayGoOn.waits() }
    rig.output.alwaysDiscardsLateVideoFrames = false
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    #expect(eventually { rig.camera.count(of: .dequeue) >= 5 })
    rig.camera.unplug()
    #expect(notices.waits(for: .runtimeError)?.error?.code == .unplugged)
    #expect(eventually { !rig.session.isRunning })
    mayGoOn.open()
    #expect(eventually { rig.cameras.system.mappingCount == 0 })
  }

  @Test("a source that changes its mode ends the session with a notice", arguments: [false, true])
  func sourceChange(isFull: Bool) throws {
    var description = FakeDescription()
    description.tellsOfSource = true
    let rig = try Rig(description, pace: .interval(1_000_000))
    let notices = Notices(rig.session)
    let mayGoOn = Gate()
    if !isFull { mayGoOn.open() }
    let collector = Collector { _ in mayGoOn.waits() }
    rig.output.alwaysDiscardsLateVideoFrames = false
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    #expect(eventually { rig.camera.count(of: .dequeue) >= 5 })
    rig.camera.changeSource()
    let notice = notices.waits(for: .runtimeError)
    #expect(notice?.error?.code == .sourceChanged)
    #expect(notice?.message.contains("HDMI") == true)
    mayGoOn.open()
    #expect(eventually { !rig.session.isRunning && rig.cameras.system.mappingCount == 0 })
  }

  @Test("after a replug the session goes on, though the device file is another one")
  func replug() throws {
    let rig = try Rig()
    let notices = Notices(rig.session)
    let collector = Collector()
    rig.session.resumesAfterReplug = true
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    #expect(collector.waits(forFrames: 10))
    rig.cameras.detach("/dev/video0")
    rig.camera.unplug()
    #expect(notices.waits(for: .wasInterrupted)?.error?.code == .unplugged)
    #expect(rig.session.isRunning && rig.session.isInterrupted)
    // Another camera comes before it does.
    rig.cameras.attach(FakeCamera(), at: "/dev/video0", id: "usb:1234:5678:B")
    rig.camera.plug()
    rig.cameras.attach(rig.camera, at: "/dev/video1")
    #expect(notices.waits(for: .interruptionEnded) != nil)
    #expect(rig.device.path == "/dev/video1")
    #expect(collector.waits(forFrames: collector.numbers.count + 10))
    #expect(rig.session.isRunning && !rig.session.isInterrupted)
    rig.session.stopRunning()
    #expect(eventually { rig.cameras.system.mappingCount == 0 })
  }

  @Test("a session that is started after a replug finds its camera, and takes no other one for it")
  func restartAfterReplug() throws {
    let rig = try Rig()
    let notices = Notices(rig.session)
    try rig.session.startRunning()
    rig.cameras.detach("/dev/video0")
    rig.camera.unplug()
    #expect(notices.waits(for: .runtimeError) != nil)
    #expect(eventually { !rig.session.isRunning })
    let other = FakeCamera()
    rig.cameras.attach(other, at: "/dev/video0", id: "usb:1234:5678:B")
    #expect(CaptureError.thrown { try rig.session.startRunning() }?.code == .noCamera)
    rig.camera.plug()
    rig.cameras.attach(rig.camera, at: "/dev/video1")
    try rig.session.startRunning()
    #expect(rig.device.path == "/dev/video1")
    #expect(rig.camera.isStreaming && !other.isStreaming)
    rig.session.stopRunning()
  }

  @Test("while a camera is waited for, its old device is not kept open")
  func closesWhileWaiting() throws {
    let rig = try Rig()
    let notices = Notices(rig.session)
    let collector = Collector()
    rig.session.resumesAfterReplug = true
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    #expect(collector.waits(forFrames: 1))
    rig.cameras.detach("/dev/video0")
    rig.camera.unplug()
    #expect(notices.waits(for: .wasInterrupted) != nil)
    #expect(eventually { rig.cameras.system.openDescriptorCount == 0 })
    rig.session.stopRunning()
  }

  @Test("a session that waits for a replug can be stopped")
  func stopWhileInterrupted() throws {
    let rig = try Rig()
    let notices = Notices(rig.session)
    rig.session.resumesAfterReplug = true
    try rig.session.startRunning()
    rig.cameras.detach("/dev/video0")
    rig.camera.unplug()
    #expect(notices.waits(for: .wasInterrupted) != nil)
    rig.session.stopRunning()
    #expect(!rig.session.isRunning && rig.session.runtimeError == nil)
  }

  @Test("frames that are damaged or cut short are counted and not delivered")
  func damaged() throws {
    let rig = try Rig(
      painter: { frame, bytes in
        frame.isDamaged = frame.sequence % 4 == 1
        if frame.sequence % 4 == 2 { frame.byteCount /= 2 }
      })
    let collector = Collector()
    rig.output.alwaysDiscardsLateVideoFrames = false
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    #expect(collector.waits(forFrames: 20) && collector.waits(forDropped: 18, .corrupt))
    rig.session.stopRunning()
    #expect(collector.numbers.allSatisfy { $0 % 4 == 0 || $0 % 4 == 3 })
  }

  @Test("JPEGs without an end, and those that are none, are counted and not delivered")
  func truncatedJPEG() throws {
    let jpeg = try GrayPicture.jpeg(width: 320, height: 240)
    let description = FakeDescription(formats: [.init("MJPG", sizes: [.init(320, 240)])])
    let rig = try Rig(
      description,
      painter: { frame, bytes in
        frame.byteCount = frame.sequence % 3 == 1 ? jpeg.count / 2 : jpeg.count
        bytes.copyBytes(from: jpeg)
        if frame.sequence % 3 == 2 { bytes[0] = 0 }
      }, preset: .high)
    let collector = Collector { frame in
      let image = try? frame.imageBuffer.bgraImage()
      #expect(image?.width == 320)
    }
    rig.output.alwaysDiscardsLateVideoFrames = false
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    #expect(collector.waits(forFrames: 20) && collector.waits(forDropped: 38, .corrupt))
    rig.session.stopRunning()
    #expect(collector.numbers.allSatisfy { $0 % 3 == 0 })
  }

  @Test("a camera that sends nothing ends the session with an error")
  func silence() throws {
    let rig = try Rig(pace: .manual)
    let notices = Notices(rig.session)
    rig.session.secondsWithoutFrames = 0.2
    try rig.session.startRunning()
    #expect(notices.waits(for: .runtimeError)?.error?.code == .noFrames)
    #expect(eventually { !rig.session.isRunning })
  }

  @Test("frames that a consumer holds stay readable after the stop, and may come back late")
  func lateRelease() throws {
    let rig = try Rig(pace: .manual)
    rig.output.videoSettings = VideoSettings(pixelFormat: .native)
    let collector = Collector(keepsLast: true)
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    for number in 0..<3 {
      rig.camera.deliver()
      #expect(collector.waits(forFrames: number + 1))
    }
    rig.session.stopRunning()
    let last = try #require(collector.last)
    let bytes = try last.imageBuffer.withUnsafeBytes { Array($0) }
    #expect(bytes.count == 2 * 640 * 480 && bytes.allSatisfy { $0 == 2 })
    // The memory is held by this frame; the camera runs again meanwhile.
    try rig.session.startRunning()
    rig.camera.deliver()
    #expect(collector.waits(forFrames: 4))
    #expect(try last.imageBuffer.withUnsafeBytes { $0.allSatisfy { $0 == 2 } })
    rig.session.stopRunning()
    last.invalidate()
    #expect(
      CaptureError.thrown { _ = try last.imageBuffer.withUnsafeBytes { $0.count } }?.code
        == .invalidated)
  }

  @Test("a driver that overwrites what was lent gives whole frames or none")
  func overwriting() throws {
    var description = FakeDescription(driver: "v4l2 loopback")
    description.overwritesLeased = true
    description.mostBuffers = 2
    let rig = try Rig(description, pace: .manual)
    rig.output.videoSettings = VideoSettings(pixelFormat: .native)
    let (isBusy, mayGoOn) = (Gate(), Gate())
    let collector = Collector { frame in
      isBusy.open()
      mayGoOn.waits()
      let number = UInt8(frame.sequenceNumber)
      #expect((try? frame.imageBuffer.withUnsafeBytes { $0.allSatisfy { $0 == number } }) == true)
    }
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    rig.camera.deliver()
    #expect(isBusy.waits())
    // The memory of the frame that the consumer has is written to again.
    rig.camera.deliver(4)
    mayGoOn.open()
    #expect(collector.waits(forFrames: 1))
    rig.session.stopRunning()
  }
}
