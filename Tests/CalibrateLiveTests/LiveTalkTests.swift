import CalibrationStore
import CommandLineTool
import CommandRunning
import Glibc
import Locking
import Testing

@testable import Calibration
@testable import calibrate

@Suite("What a live calibration says")
struct LiveTalkTests {
  private static func status(
    _ finding: FrameFinding, views: Int, p90: Double?, hint: String = "Hold the board at the left."
  ) -> LiveStatus {
    var cells = Array(repeating: 0, count: 48)
    (cells[0], cells[1], cells[2]) = (3, 12, 40)
    return LiveStatus(
      frameIndex: 1, finding: finding, viewCount: views, p90: p90, goal: 0.8,
      coverage: IntrinsicsRecord.Coverage(
        columns: 8, rows: 6, cornerCounts: cells, tiltHistogram: [1, 0, 2, 0, 0, 0, 0, 0, 0]),
      hint: hint, frames: FrameCounts())
  }

  /// What is said by `body` over a file, on a terminal or not.
  private static func said(
    isInteractive: Bool, quiet: Bool = false, _ body: (LiveTalk, _ wait: (Int) -> Void) -> Void
  ) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.path + "/talk"
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    let terminal = Terminal(
      commandName: "calibrate", talk: Output(descriptor: descriptor),
      isInteractive: isInteractive, verbosity: quiet ? .quiet : .normal)
    let time = Lock<UInt64>(100_000_000_000)
    let talk = LiveTalk(terminal, hasEnterKey: true, clock: { time.withLock { $0 } })
    body(talk) { seconds in time.withLock { $0 += UInt64(seconds) * 1_000_000_000 } }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test("Without a terminal each view is a line, advice comes at most every five seconds")
  func plain() throws {
    let text = try Self.said(isInteractive: false) { talk, wait in
      talk.tell(Self.status(.kept(1), views: 1, p90: nil))
      talk.tell(Self.status(.alike(1), views: 1, p90: nil))
      wait(1)
      talk.tell(Self.status(.moving(1), views: 1, p90: nil, hint: "Hold the board still."))
      wait(5)
      talk.tell(Self.status(.moving(1), views: 1, p90: nil, hint: "Hold the board still."))
      wait(6)
      talk.tell(Self.status(.moving(1), views: 1, p90: nil, hint: "Hold the board still."))
      talk.tell(Self.status(.kept(2), views: 2, p90: 0.523))
    }
    #expect(
      text == """
        View 1: too few to say how well the camera is known. Hold the board at the left.
        Hold the board still.
        View 2: 90 % of the image is known to 0.52 px (goal 0.80 px). Hold the board at the left.

        """)
    #expect(
      try Self.said(isInteractive: false, quiet: true) { talk, _ in
        talk.tell(Self.status(.kept(1), views: 1, p90: nil))
      } == "")
  }

  @Test("On a terminal the image is shown in cells, with the tilts, what is wrong and what to do")
  func picture() throws {
    let text = try Self.said(isInteractive: true) { talk, _ in
      talk.tell(Self.status(.moving(1.24), views: 1, p90: 0.9))
    }
    #expect(
      text == """
        1 view: 90 % of the image is known to 0.90 px (goal 0.80 px)
          | : + # . . . . . |  tilt  0-10° #
          | . . . . . . . . |  tilt 10-20°\u{20}
          | . . . . . . . . |  tilt 20-30° ##
          | . . . . . . . . |  tilt 30-40°\u{20}
          | . . . . . . . . |  tilt 40-50°\u{20}
          | . . . . . . . . |  tilt 50-60°\u{20}
        The board moves by 1.2 px a frame.
        Hold the board at the left.
        Enter ends with these views, Ctrl-C without a result.
        """)
  }

  @Test("Enter is seen on a terminal, once, and where there is none nothing is read")
  func enter() throws {
    var (controller, terminal): (Int32, Int32) = (-1, -1)
    try #require(openpty(&controller, &terminal, nil, nil, nil) == 0)
    defer { for descriptor in [controller, terminal] { close(descriptor) } }
    let key = EnterKey(descriptor: terminal)
    #expect(key.isAvailable)
    #expect(!key.wasPressed)
    #expect(write(controller, "x\n", 2) == 2)
    #expect(key.wasPressed)
    #expect(!key.wasPressed)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for descriptor in ends { close(descriptor) } }
    #expect(write(ends[1], "\n", 1) == 1)
    let none = EnterKey(descriptor: ends[0])
    #expect(!none.isAvailable)
    #expect(!none.wasPressed)
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1)
  }
}
