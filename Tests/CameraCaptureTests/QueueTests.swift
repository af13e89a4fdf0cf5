import CameraCapture
import Dispatch
import FakeV4L2
import Foundation
import Locking
import TestSupport
import Testing

@Suite("Frames on their way to consumers")
struct QueueTests {
  @Test(
    "a consumer that is slow misses frames, then gets the newest, and is told how many it missed")
  func lateFrames() throws {
    let rig = try Rig(pace: .manual)
    let (isBusy, mayGoOn) = (Gate(), Gate())
    let collector = Collector { _ in
      isBusy.open()
      mayGoOn.waits()
    }
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    rig.camera.deliver()
    #expect(isBusy.waits())
    for number in 1...7 {
      rig.camera.deliver()
      // Each has arrived before the next is made.
      #expect(eventually { rig.camera.count(of: .dequeue) > number })
    }
    #expect(eventually { rig.output.statistics.dropped[.frameWasLate] == 6 })
    mayGoOn.open()
    #expect(collector.waits(forFrames: 2) && collector.waits(forDropped: 6, .frameWasLate))
    #expect(collector.numbers == [0, 7])
    rig.session.stopRunning()
    #expect(rig.output.statistics.delivered == 2)
    #expect(rig.output.statistics.dropped == [.frameWasLate: 6])
  }

  @Test(
    "without discarding, frames wait for a slow consumer, then the camera does, and none is lost")
  func backPressure() throws {
    let rig = try Rig()
    let (isBusy, mayGoOn) = (Gate(), Gate())
    let collector = Collector { _ in
      isBusy.open()
      mayGoOn.waits()
    }
    rig.output.alwaysDiscardsLateVideoFrames = false
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    #expect(isBusy.waits())
    // One is with the consumer, four of six buffers wait, and the driver fills no more than it has.
    #expect(eventually { rig.camera.count(of: .dequeue) >= 5 })
    mayGoOn.open()
    #expect(collector.waits(forFrames: 300))
    rig.session.stopRunning()
    let numbers = collector.numbers
    #expect(numbers == Array(0..<UInt32(numbers.count)))
    #expect(rig.output.statistics.dropped == [:])
  }

  @Test("with back-pressure the queue holds no more frames than leave the driver two buffers")
  func bound() throws {
    let rig = try Rig()
    let mayGoOn = Gate()
    let collector = Collector { _ in mayGoOn.waits() }
    rig.output.alwaysDiscardsLateVideoFrames = false
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    #expect(eventually { rig.camera.count(of: .dequeue) == 5 })
    // The capture thread waits for room; it asks the driver for nothing meanwhile.
    #expect(rig.camera.count(of: .queue) == 6)
    // Stopping must not wait for the consumer.
    rig.session.stopRunning()
    #expect(!rig.session.isRunning)
    #expect(rig.camera.count(of: .dequeue) == 5)
    mayGoOn.open()
    #expect(eventually { collector.numbers == [0] })
    #expect(eventually { rig.cameras.system.mappingCount == 0 })
  }

  @Test(
    "a consumer that keeps all of the driver's buffers gets no more frames until it gives some back"
  )
  func exhaustion() throws {
    let rig = try Rig()
    let kept = Lock<[SampleBuffer]>([])
    let collector = Collector { frame in kept.withLock { $0.append(frame) } }
    rig.session.secondsWithoutFrames = 0.1
    rig.output.alwaysDiscardsLateVideoFrames = false
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    // Six buffers: as none comes back, there is no seventh frame, and no call for one.
    #expect(collector.waits(forFrames: 6))
    #expect(collector.numbers.count == 6 && rig.session.isRunning)
    // Pixels that were asked for are in memory of ours: the driver has its own back.
    for frame in kept.withLock({ $0.prefix(2) }) {
      #expect(try frame.imageBuffer.withUnsafeBytes { $0.count } == 4 * 640 * 480)
    }
    #expect(collector.waits(forFrames: 8))
    kept.withLock { $0.removeAll() }
    #expect(collector.waits(forFrames: 9))
    rig.session.stopRunning()
    #expect(rig.session.runtimeError == nil)
    kept.withLock { $0.removeAll() }
  }

  @Test("two outputs get the same frames, each in its own form")
  func twoOutputs() throws {
    let rig = try Rig(pace: .manual)
    let (first, second) = (Collector(keepsLast: true), Collector(keepsLast: true))
    let other = CaptureVideoDataOutput()
    other.videoSettings = VideoSettings(pixelFormat: .native)
    rig.output.videoSettings = VideoSettings(pixelFormat: .gray8)
    rig.output.setSampleBufferDelegate(first, queue: nil)
    other.setSampleBufferDelegate(second, queue: nil)
    try rig.session.addOutput(other)
    try rig.session.startRunning()
    for number in 1...10 {
      rig.camera.deliver()
      #expect(first.waits(forFrames: number) && second.waits(forFrames: number))
    }
    #expect(try first.last?.imageBuffer.withUnsafeBytes { $0.count } == 640 * 480)
    #expect(try second.last?.imageBuffer.withUnsafeBytes { $0.count } == 2 * 640 * 480)
    rig.session.stopRunning()
    #expect(first.numbers == Array(0..<10) && second.numbers == first.numbers)
  }

  @Test("frames that the driver left out are counted and told, not passed over")
  func gaps() throws {
    let rig = try Rig(pace: .manual)
    let collector = Collector()
    rig.output.alwaysDiscardsLateVideoFrames = false
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    rig.camera.deliver()
    #expect(collector.waits(forFrames: 1))
    rig.camera.skip(3)
    rig.camera.deliver()
    #expect(collector.waits(forFrames: 2) && collector.waits(forDropped: 3, .outOfBuffers))
    rig.session.stopRunning()
    #expect(collector.numbers == [0, 4])
    #expect(rig.output.statistics.dropped == [.outOfBuffers: 3])
  }

  @Test("the same frames come as a sequence, which ends when the session stops")
  func sequence() async throws {
    let rig = try Rig()
    rig.output.alwaysDiscardsLateVideoFrames = false
    let frames = rig.output.sampleBuffers
    let session = rig.session
    let reader = Task {
      var numbers: [UInt32] = []
      for try await frame in frames {
        numbers.append(frame.sequenceNumber)
        if numbers.count == 50 { Task { session.stopRunning() } }
      }
      return numbers
    }
    try rig.session.startRunning()
    let numbers = try await reader.value
    #expect(numbers.count >= 50)
    // It may have begun after the first frames; from there on it has missed none.
    let first = numbers.first ?? 0
    #expect(numbers == Array(first..<first + UInt32(numbers.count)))
  }

  @Test("a sequence throws when the session fails, and ends when its task is cancelled")
  func sequenceEnds() async throws {
    let rig = try Rig(pace: .manual)
    let frames = rig.output.sampleBuffers
    let begun = Gate()
    let cancelled = Task {
      begun.open()
      for try await _ in frames {}
    }
    #expect(await begun.opens())
    cancelled.cancel()
    try await cancelled.value

    let failing = Task { () -> CaptureError? in
      do {
        for try await _ in frames {}
        return nil
      } catch { return error as? CaptureError }
    }
    try rig.session.startRunning()
    #expect(await rig.deliversUntilTaken())
    rig.camera.unplug()
    #expect(await failing.value?.code == .unplugged)
  }

  @Test("a delegate that is gone, or was taken away, gets nothing, and frames go on to others")
  func delegateGone() throws {
    let rig = try Rig()
    rig.output.setSampleBufferDelegate(Collector(), queue: nil)
    try rig.session.startRunning()
    let collector = Collector()
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    #expect(collector.waits(forFrames: 5))
    rig.output.setSampleBufferDelegate(nil, queue: nil)
    let count = rig.camera.count(of: .dequeue)
    #expect(eventually { rig.camera.count(of: .dequeue) > count + 20 })
    rig.session.stopRunning()
  }

  @Test("ten thousand frames leave no descriptor, no mapping and no memory behind")
  func noGrowth() throws {
    let rig = try Rig(
      FakeDescription(formats: [.init("YUYV", sizes: [.init(64, 48)])]), preset: .high)
    let collector = Collector { frame in
      _ = try? frame.imageBuffer.withUnsafeBytes { $0.count }
    }
    rig.output.alwaysDiscardsLateVideoFrames = false
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    try rig.session.startRunning()
    #expect(collector.waits(forFrames: 1000))
    let before = try residentKilobytes()
    #expect(eventually { collector.numbers.count >= 10_000 })
    let after = try residentKilobytes()
    rig.session.stopRunning()
    // 9000 frames of 12 kB as BGRA would be 108 MB; other tests run beside this one. The address
    // sanitizer keeps back what is freed, 256 MB of it.
    if !Sanitizers.checksAddresses {
      #expect(after - before < 32_768, "\(before) kB before, \(after) kB after")
    }
    #expect(eventually { rig.cameras.system.mappingCount == 0 })
    // The camera itself, which the device keeps open.
    #expect(rig.cameras.system.openDescriptorCount == 1)
  }

  private func residentKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
  }
}
