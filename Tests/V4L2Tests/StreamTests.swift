import CV4L2
import CameraModel
import Dispatch
import FakeV4L2
import Glibc
import Imaging
import Locking
import Testing

@testable import V4L2

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

  @Test("counts the frames that are missing from the driver's count")
  func gaps() throws {
    let rig = try Rig(FakeCamera(pace: .manual))
    rig.camera.deliver()
    #expect(try rig.stream.dequeue(timeoutMilliseconds: 1000)?.missedBefore == 0)
    rig.camera.skip(3)
    rig.camera.deliver(2)
    #expect(try rig.stream.dequeue(timeoutMilliseconds: 1000)?.missedBefore == 3)
    #expect(try rig.stream.dequeue(timeoutMilliseconds: 1000)?.missedBefore == 0)
    // A count that begins anew loses nothing; one that runs over its end goes on.
    rig.camera.skip(UInt32.max - 6 &- 6)
    rig.camera.deliver(1)
    _ = try rig.next()
    #expect(rig.stream.missedFrameCount == 3)
  }

  @Test("marks frames that are damaged, short or old")
  func marks() throws {
    let camera = FakeCamera(pace: .manual) { frame, _ in
      switch frame.sequence {
      case 0: frame.timestampNanoseconds -= 10_000_000_000
      case 1: frame.isDamaged = true
      case 2: frame.byteCount -= 1
      case 3: frame.byteCount = 0
      case 4: frame.byteCount = 1 << 30
      default: break
      }
    }
    let rig = try Rig(camera, bufferCount: 6)
    camera.deliver(6)
    let details = try (0..<6).map { _ in try rig.next() }
    #expect(details.map(\.details.isStale) == [true, false, false, false, false, false])
    #expect(details.map(\.isCorrupt) == [false, true, false, false, false, false])
    #expect(details.map(\.details.isTruncated) == [false, false, true, true, false, false])
    #expect(details.map(\.details.isUnusable) == [true, true, true, true, false, false])
    // A driver that claims more bytes than its buffer has.
    #expect(details[4].bytes.count == 614_400)
  }

  @Test("knows v4l2loopback's clock, which that driver does not tell, and its old first frame")
  func loopback() throws {
    var description = FakeDescription(driver: "v4l2 loopback")
    description.timestampFlags = 0
    let camera = FakeCamera(description) { frame, _ in
      if frame.sequence == 0 { frame.timestampNanoseconds = 0 }
    }
    let rig = try Rig(camera)
    let first = try rig.next()
    #expect(first.details.isStale)
    #expect(first.details.clock == .monotonic)
    #expect(try !rig.next().details.isStale)
    #expect(rig.stream.missedFrameCount == 0)
  }

  @Test("says when v4l2loopback has written into a buffer that was still being read")
  func overwriting() throws {
    var description = FakeDescription(driver: "v4l2 loopback")
    description.overwritesLeased = true
    let rig = try Rig(FakeCamera(description), bufferCount: 2)
    let first = try rig.next()
    #expect(!first.isOverwritten)
    try rig.next().release()
    let third = try rig.next()
    #expect(first.isOverwritten)
    #expect(!third.isOverwritten)
    first.release()
    third.release()
    #expect(rig.stream.usage.leased == 0)
  }

  @Test("says so also where nobody has taken that frame, and where it may just be written")
  func overwritingUnseen() throws {
    var description = FakeDescription(driver: "v4l2 loopback")
    description.overwritesLeased = true
    let camera = FakeCamera(description, pace: .manual) { frame, _ in
      frame.timestampNanoseconds = UInt64(frame.sequence + 1) * 1_000_000
    }
    let rig = try Rig(camera)
    camera.deliver(4)
    let first = try rig.next()
    // The oldest of all: the next frame goes there.
    #expect(first.isOverwritten)
    for _ in 0..<2 { try rig.next().release() }
    let fourth = try rig.next()
    for expectation in [false, false, false, true, true] {
      #expect(fourth.isOverwritten == expectation)
      camera.deliver()
    }
    rig.stream.stop()
    #expect(first.bytes.count == 614_400)
  }

  @Test("asks without keeping the buffers from others, and believes nothing after a stop")
  func overwritingUnlocked() throws {
    var description = FakeDescription(driver: "v4l2 loopback")
    description.overwritesLeased = true
    let camera = FakeCamera(description, pace: .manual) { frame, _ in
      frame.timestampNanoseconds = UInt64(frame.sequence + 1) * 1_000_000
    }
    let system = FakeSystem(["/dev/video0": camera])
    let whileAsked = Lock<(@Sendable () -> Void)?>(nil)
    var calls = system.calls
    let ioctl = calls.ioctl
    calls.ioctl = { descriptor, request, argument in
      let status = ioctl(descriptor, request, argument)
      if request == CV4L2_QUERYBUF,
        argument.assumingMemoryBound(to: v4l2_buffer.self).pointee.index == 3
      {
        whileAsked.withLock { $0 }?()
      }
      return status
    }
    let node = try VideoNode(path: "/dev/video0", calls: calls)
    let format = try node.negotiate(
      pixelFormat: .yuyv, resolution: Resolution(width: 640, height: 480))
    let stream = try VideoStream(
      node, format: format, bufferCount: 4, noFramesAfterMilliseconds: 60_000)
    camera.deliver(4)
    let first = try #require(try stream.dequeue(timeoutMilliseconds: 10_000)).buffer
    // Once the driver has answered for all buffers, another thread stops the stream.
    let isReached = Lock(false)
    whileAsked.withLock {
      $0 = {
        let done = DispatchSemaphore(value: 0)
        let other = Thread {
          stream.stop()
          done.signal()
        }
        let isInTime = done.wait(timeout: .now() + 10) == .success
        isReached.withLock { $0 = isInTime }
        if isInTime { other.join() }
      }
    }
    // Its frame is the oldest, where the next one goes: but nothing comes any more.
    #expect(!first.isOverwritten)
    #expect(isReached.withLock { $0 })
  }

  @Test("waits where all buffers are lent, without turning in circles, until one comes back")
  func exhaustion() throws {
    let rig = try Rig(bufferCount: 2)
    var held = [try rig.next(), try rig.next()]
    #expect(rig.stream.usage == (0, 2))
    rig.camera.resetCounts()
    #expect(try rig.stream.dequeue(timeoutMilliseconds: 60) == nil)
    #expect(rig.camera.count(of: .dequeue) == 0)
    // Not even asked: its driver would call it an error that it has no buffer.
    #expect(rig.camera.count(of: .poll) == 0)
    let releasing = held.removeFirst()
    let thread = Thread { releasing.release() }
    #expect(try rig.next(10_000).sequence == 2)
    thread.join()
    #expect(held[0].bytes[0] == 1)
  }

  @Test("gives a buffer back once, by release or by its last reference")
  func doubleRelease() throws {
    let rig = try Rig(bufferCount: 2)
    do {
      let frame = try rig.next()
      frame.release()
      #expect(rig.stream.usage == (2, 0))
      let next = try rig.next()
      // The buffer may be lent to somebody else by now: nothing happens to that.
      frame.release()
      #expect(rig.stream.usage == (1, 1))
      withExtendedLifetime((frame, next)) {}
    }
    #expect(rig.stream.usage == (2, 0))
    rig.camera.resetCounts()
    do { _ = try rig.next() }
    #expect(rig.camera.count(of: .queue) == 1)
  }

  @Test("leaves frames readable after its end, and unmaps after the last one")
  func lateRelease() throws {
    let camera = FakeCamera()
    let system = FakeSystem(["/dev/video0": camera])
    var held: [LeasedBuffer] = []
    do {
      let node = try VideoNode(path: "/dev/video0", calls: system.calls)
      let format = try node.negotiate(
        pixelFormat: .yuyv, resolution: Resolution(width: 640, height: 480))
      let stream = try VideoStream(node, format: format, bufferCount: 3)
      for _ in 0..<2 {
        held.append(try #require(try stream.dequeue(timeoutMilliseconds: 1000)).buffer)
      }
      #expect(system.mappingCount == 3)
      stream.stop()
      stream.stop()
      #expect(throws: V4L2Error.self) { try stream.dequeue(timeoutMilliseconds: 1000) }
      #expect(throws: V4L2Error.self) { try stream.dequeue(timeoutMilliseconds: 1000) }
    }
    #expect(system.openDescriptorCount == 0)
    #expect(held.map { $0.bytes[5] } == [0, 1])
    camera.resetCounts()
    held[0].release()
    held.removeFirst()
    #expect(system.mappingCount == 3)
    #expect(held[0].bytes[614_399] == 1)
    held.removeAll()
    #expect(system.mappingCount == 0)
    // Nothing reached the descriptor, which may be another file's by now.
    #expect(camera.count(of: .queue) == 0)
  }

  @Test("ends with \"unplugged\" when the camera goes; frames stay readable")
  func unplug() throws {
    let rig = try Rig()
    let frame = try rig.next()
    rig.camera.unplug()
    let error = try #require(throws: V4L2Error.self) { try rig.next() }
    #expect(error.code == .unplugged)
    #expect(frame.bytes[0] == 0)
    frame.release()
    let again = try #require(throws: V4L2Error.self) { try rig.next() }
    #expect(again.code == .unplugged)
    rig.stream.stop()
    #expect(rig.system.mappingCount == rig.stream.bufferCount)
  }

  @Test("returns early when another thread wakes it")
  func wake() throws {
    let rig = try Rig(FakeCamera(pace: .manual))
    let stream = rig.stream
    stream.wake()
    #expect(try stream.dequeue(timeoutMilliseconds: 60_000) == nil)
    let start = ContinuousClock.now
    let thread = Thread { stream.wake() }
    #expect(try stream.dequeue(timeoutMilliseconds: 60_000) == nil)
    #expect(ContinuousClock.now - start < .seconds(50))
    thread.join()
    // A wake-up is used up.
    #expect(try stream.dequeue(timeoutMilliseconds: 5) == nil)
    rig.camera.deliver()
    #expect(try rig.next().sequence == 0)
  }

  @Test("ends a wait when it is stopped from another thread")
  func stopElsewhere() throws {
    let rig = try Rig(FakeCamera(pace: .manual))
    let stream = rig.stream
    let thread = Thread { stream.stop() }
    do throws(V4L2Error) {
      _ = try stream.dequeue(timeoutMilliseconds: 60_000)
    } catch {
      #expect(error.code == .notStreaming)
      thread.join()
      return
    }
    thread.join()
    Issue.record("the wait went on")
  }

  @Test("takes the time for which the process stood still for no silence of the camera")
  func stoppedProcess() throws {
    let camera = FakeCamera(pace: .manual)
    let system = FakeSystem(["/dev/video0": camera])
    let lost = Lock<UInt64>(0)
    var calls = system.calls
    calls.now = { system.calls.now() + lost.withLock { $0 } }
    calls.poll = { descriptors, milliseconds in
      // An hour passes before it returns.
      lost.withLock { $0 += 3_600_000_000_000 }
      return system.calls.poll(descriptors, milliseconds)
    }
    let node = try VideoNode(path: "/dev/video0", calls: calls)
    let format = try node.negotiate(
      pixelFormat: .yuyv, resolution: Resolution(width: 640, height: 480))
    let stream = try VideoStream(node, format: format, noFramesAfterMilliseconds: 100)
    for _ in 0..<4 { #expect(try stream.dequeue(timeoutMilliseconds: 20) == nil) }
    let error = try #require(throws: V4L2Error.self) {
      for _ in 0..<2 { _ = try stream.dequeue(timeoutMilliseconds: 20) }
    }
    #expect(error.code == .noFrames)
    #expect(error.message.contains("no frame for 0.1 s"))
  }

  @Test("calls it an error where no frame comes at all, after the time given")
  func silence() throws {
    let rig = try Rig(FakeCamera(pace: .manual), noFramesAfterMilliseconds: 30)
    let start = ContinuousClock.now
    let error = try #require(throws: V4L2Error.self) {
      for _ in 0..<50 { _ = try rig.stream.dequeue(timeoutMilliseconds: 20) }
    }
    #expect(error.code == .noFrames)
    #expect(ContinuousClock.now - start > .milliseconds(29))
    #expect(error.message.contains("YUYV 640x480"))
    #expect(error.message.contains("no frame for"))
  }

  @Test("does not blame the camera where the app keeps all buffers")
  func starvation() throws {
    let rig = try Rig(bufferCount: 1, noFramesAfterMilliseconds: 10)
    let frame = try rig.next()
    for _ in 0..<4 { #expect(try rig.stream.dequeue(timeoutMilliseconds: 10) == nil) }
    frame.release()
    #expect(try rig.next().sequence == 1)
  }

  @Test("goes on after signals and false alarms of the driver", arguments: [EINTR, EAGAIN])
  func interruptions(number: Int32) throws {
    let rig = try Rig()
    rig.camera.fail(number == EINTR ? .poll : .dequeue, with: number, times: 12)
    rig.camera.fail(.dequeue, with: EINTR, times: 3)
    #expect(try rig.next(20_000).sequence == 0)
  }
}
