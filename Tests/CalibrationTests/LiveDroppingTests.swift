import BoardDetection
import BoardRendering
import Boards
import CalibrationStore
import CameraModel
import Frames
import Glibc
import Imaging
import Locking
import TestSupport
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

  @Test("A frame is answered for at once, though the search goes on; what it finds late is used")
  func searchBeside() throws {
    // Nothing is waited for: every search comes too late for its own frame.
    let pose = try LiveSessionTests.poses(1, seed: 5)[0]
    let images = (0..<2).map { seed in
      BoardScene(
        camera: .example(.pinhole), board: PrintedBoard(columns: 9, rows: 6), pose: pose
      ).image(noiseSeed: UInt64(seed))
    }
    let mailbox = FrameMailbox()
    var views = LiveViews(
      CalibrationOptions(board: SessionTests.board, squareSizeIsKnown: true, jobs: 1),
      resolution: images[0].resolution, patience: 0)
    var findings: [FrameFinding] = []
    let end = ContinuousClock.now + .seconds(Sanitizers.arePresent ? 400 : 60)
    while views.kept.isEmpty, ContinuousClock.now < end {
      let index = findings.count
      mailbox.put(
        Frame(name: "\(index)", index: index, image: images[index % 2]), absenceNanoseconds: 0)
      let delivery = try #require(Self.taken(mailbox))
      findings.append(try views.consider(delivery))
    }
    #expect(findings.first == .searching)
    #expect(findings.last == .kept(1))
    // The board rests: nothing else is ever said, but that a frame had no neighbour.
    #expect(
      findings.allSatisfy { [.searching, .checking, .alone, .kept(1)].contains($0) }, "\(findings)")
    let kept = try #require(views.kept.first)
    #expect(images.contains(kept.image))
    // What is kept is what a search of the whole image says of it.
    let searched = try ChessboardDetector(board: SessionTests.board).detect(in: kept.image).board
    #expect(searched?.corners == kept.board.corners)
    // And from then on the board is followed, or found again.
    while findings.last != .alike(1), ContinuousClock.now < end {
      let index = findings.count
      mailbox.put(
        Frame(name: "\(index)", index: index, image: images[index % 2]), absenceNanoseconds: 0)
      findings.append(try views.consider(try #require(Self.taken(mailbox))))
    }
    #expect(findings.last == .alike(1))
    #expect(views.kept.count == 1)
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
