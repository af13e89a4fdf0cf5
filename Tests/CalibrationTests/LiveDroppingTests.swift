import BoardRendering
import Boards
import CalibrationStore
import CameraModel
import Frames
import Glibc
import Imaging
import Locking
import Testing

@testable import Calibration

/// Capture is never held up: what comes while a frame is looked at is let go, not queued.
@Suite("Live capture beside detection")
struct LiveDroppingTests {
  private static func frame(_ index: Int) -> Frame {
    Frame(name: "\(index)", index: index, image: GrayImage(width: 1, height: 1, pixels: [0]))
  }

  private static func taken(_ mailbox: FrameMailbox) -> FrameMailbox.Delivery? {
    if case .delivery(let delivery) = mailbox.take(milliseconds: 0) { delivery } else { nil }
  }

  @Test("The newest frame is taken, with the ones right before it; the others are counted")
  func newest() throws {
    let mailbox = FrameMailbox()
    for index in 0..<10 { mailbox.put(Self.frame(index), absenceNanoseconds: UInt64(index)) }
    let first = try #require(Self.taken(mailbox))
    #expect(first.frame.index == 9)
    #expect(first.before.map(\.index) == [8, 7, 6])
    // While it is looked at, five more come.
    for index in 10..<15 { mailbox.put(Self.frame(index), absenceNanoseconds: 0) }
    mailbox.finish(isDamaged: false)
    #expect(try #require(Self.taken(mailbox)).frame.index == 14)
    #expect(Self.taken(mailbox) == nil)
    let counts = mailbox.counts
    #expect(counts.captured == 15 && counts.considered == 2 && counts.skipped == 13)
    #expect(counts.largestLag == 5 && counts.longestAbsenceNanoseconds == 9)
  }

  @Test("Lost frames are counted; frames on both sides of a large gap are no neighbours")
  func gaps() throws {
    let mailbox = FrameMailbox()
    for index in [0, 1, 5] { mailbox.put(Self.frame(index), absenceNanoseconds: 0) }
    #expect(try #require(Self.taken(mailbox)).before.map(\.index) == [1, 0])
    #expect(mailbox.counts.lost == 3)
    mailbox.put(Self.frame(40), absenceNanoseconds: 0)
    #expect(try #require(Self.taken(mailbox)).before.isEmpty)
    #expect(mailbox.counts.lost == 37)
    // A count that begins anew.
    mailbox.put(Self.frame(0), absenceNanoseconds: 0)
    #expect(try #require(Self.taken(mailbox)).before.isEmpty)
    #expect(mailbox.counts.lost == 37)
  }

  @Test("The end comes after the last frame, and a failure is told")
  func end() throws {
    let mailbox = FrameMailbox()
    mailbox.put(Self.frame(0), absenceNanoseconds: 0)
    mailbox.end(FramesError(.unreadable, source: "camera", message: "gone"))
    #expect(Self.taken(mailbox)?.frame.index == 0)
    guard case .end(let failure) = mailbox.take(milliseconds: 0) else {
      Issue.record("no end")
      return
    }
    #expect(failure is FramesError)
  }

  @Test("While one frame is looked at, the capture goes on through a hundred others")
  func captureGoesOn() throws {
    // The first frame is looked at until the source has given all: nothing here depends on time.
    let given = Lockstep(0)
    var session = LiveSession(
      options: CalibrationOptions(board: SessionTests.board, squareSizeIsKnown: true, jobs: 1),
      live: LiveOptions(), clock: { 0 })
    let seen = Lock<[Int]>([])
    session.onStatus = { status in
      let isFirst = seen.withLock { seen in
        seen.append(status.frameIndex)
        return seen.count == 1
      }
      if isFirst { given.waitForTurn() }
    }
    let source = CountingSource(count: 100, finished: given)
    #expect(throws: CalibrationError.self) { try session.run(source) }
    let indices = seen.withLock { $0 }
    // The source was through before the first look ended; all that came meanwhile but the last is gone.
    #expect(indices.last == 99)
    #expect(indices.count <= 2)
  }
}

/// Blank frames, as many as asked for, as fast as they are drawn.
private struct CountingSource: FrameSource {
  var count: Int
  let finished: Lockstep
  var identity = IntrinsicsRecord.DeviceIdentity(
    id: DeviceID(rawValue: "usb:1:2:3"), name: "blank", identifiedBy: "test")
  var resolution = Resolution(width: 64, height: 48)
  var pixelFormat: String? { nil }
  var lensControls: [String: IntrinsicsRecord.LensControl]? { nil }
  var notices: [String] { [] }
  var setAside: [SetAside] { [] }
  var expectedCount: Int? { nil }
  private var position = 0

  init(count: Int, finished: Lockstep) {
    self.count = count
    self.finished = finished
  }

  mutating func next() throws -> Frame? {
    guard position < count else {
      finished.allow()
      return nil
    }
    defer { position += 1 }
    return Frame(
      name: "\(position)", index: position,
      image: GrayImage(width: 64, height: 48, pixels: Array(repeating: 0, count: 64 * 48)))
  }
}
