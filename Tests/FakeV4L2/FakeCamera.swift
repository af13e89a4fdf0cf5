internal import CV4L2
internal import Glibc
internal import Locking

/// A scripted camera: it answers as a driver does, delivers frames that a closure makes, and fails
/// where it is told to.
package final class FakeCamera: Sendable {
  /// When frames come.
  package enum Pace: Sendable {
    /// As soon as there is a buffer for one.
    case immediate
    /// When `deliver` is called.
    case manual
    /// After every so many nanoseconds.
    case interval(UInt64)
  }

  /// A frame to be made.
  package struct Frame: Sendable {
    /// Its number since the start of the stream, lost ones included.
    package var sequence: UInt32
    package var code: UInt32
    package var width: Int
    package var height: Int
    package var bytesPerRow: Int
    /// What the closure may change: the bytes used, whether it is flagged as damaged, its time.
    package var byteCount: Int
    package var isDamaged = false
    package var timestampNanoseconds: UInt64
  }

  /// Makes a frame's bytes.
  package typealias Painter = @Sendable (inout Frame, UnsafeMutableRawBufferPointer) -> Void

  struct Buffer: Sendable {
    var length: Int
    /// Where it is mapped; 0 where it is not.
    var address = 0
    /// Whether the driver knows that it is mapped; of shared buffers it forgets that.
    var isMapped = false
    /// When what it holds was taken, nanoseconds.
    var time: UInt64 = 0
    var isQueued = false
  }

  struct Done: Sendable {
    var index: Int
    var frame: Frame
  }

  struct Fault: Sendable {
    var number: Int32
    var skipped: Int
    var times: Int
  }

  struct State: Sendable {
    var description: FakeDescription
    var pace: Pace
    var painter: Painter
    var faults: [FakeCall: [Fault]] = [:]
    var counts: [FakeCall: Int] = [:]
    var isPlugged = true
    var format = FakeDescription.Format("YUYV", sizes: [])
    var size = FakeDescription.Size(0, 0)
    var interval = (numerator: UInt32(1), denominator: UInt32(30))
    var owner: Int32?
    var buffers: [Buffer] = []
    var queue: [Int] = []
    var done: [Done] = []
    var isStreaming = false
    var sequence: UInt32 = 0
    var nextDue: UInt64 = 0
    var watched: Set<UInt32> = []
    /// Of these the ones whose changes are told to who made them, too.
    var watchedByWriter: Set<UInt32> = []
    var watchesSource = false
    var events: [v4l2_event] = []
    /// The descriptors under which the camera is open.
    var descriptors: Set<Int32> = []
    var openCount = 0
  }

  let state: Lock<State>

  /// Creates a camera.
  ///
  /// - Parameter painter: Makes the bytes of each frame, under the camera's lock: it must not call the
  ///   camera. By default each byte is the sequence number's lowest byte.
  package init(
    _ description: FakeDescription = FakeDescription(), pace: Pace = .immediate,
    painter: @escaping Painter = { frame, bytes in
      guard let start = bytes.baseAddress else { return }
      memset(start, Int32(frame.sequence & 0xFF), min(frame.byteCount, bytes.count))
    }
  ) {
    var start = State(description: description, pace: pace, painter: painter)
    start.format = description.formats.first ?? start.format
    start.size = start.format.sizes.first ?? start.size
    state = Lock(start)
  }

  /// Makes a call fail.
  ///
  /// - Parameters:
  ///   - number: The `errno`.
  ///   - skipped: How many of the calls go well before.
  ///   - times: How many then fail.
  package func fail(
    _ call: FakeCall, with number: Int32, afterCalls skipped: Int = 0, times: Int = .max
  ) {
    state.withLock {
      $0.faults[call, default: []].append(Fault(number: number, skipped: skipped, times: times))
    }
    kick()
  }

  /// Lets all calls go well again.
  package func mend() { state.withLock { $0.faults = [:] } }

  /// How often a call was made.
  package func count(of call: FakeCall) -> Int { state.withLock { $0.counts[call] ?? 0 } }

  /// Counts anew from here on.
  package func resetCounts() { state.withLock { $0.counts = [:] } }

  /// How many descriptors of it are open.
  package var openCount: Int { state.withLock { $0.openCount } }

  /// Whether it streams.
  package var isStreaming: Bool { state.withLock { $0.isStreaming } }

  /// Makes frames now, lost ones where the driver has no buffer.
  package func deliver(_ count: Int = 1) {
    state.withLock { state in
      for _ in 0..<count { state.emit(at: Self.now()) }
    }
    kick()
  }

  /// Counts frames on that nobody sees.
  package func skip(_ count: UInt32) { state.withLock { $0.sequence &+= count } }

  /// Changes the pace.
  package func setPace(_ pace: Pace) {
    state.withLock { $0.pace = pace }
    kick()
  }

  /// Changes what makes the frames.
  package func setPainter(_ painter: @escaping Painter) { state.withLock { $0.painter = painter } }

  /// Takes the camera away: every call says ENODEV.
  package func unplug() {
    state.withLock { state in
      state.isPlugged = false
      state.isStreaming = false
    }
    kick()
  }

  /// Brings it back, as after a replug: those that have it open must open it anew.
  package func plug() {
    state.withLock { state in
      state.isPlugged = true
      state.owner = nil
      state.buffers = []
      state.queue = []
      state.done = []
      state.descriptors = []
    }
  }

  /// A control's value; nil where there is none.
  package func value(of id: UInt32) -> Int32? {
    state.withLock { state in state.description.controls.first { $0.id == id }?.value }
  }

  /// Changes a control as another program does: those that watch it are told.
  package func change(_ id: UInt32, to value: Int32) {
    state.withLock { $0.set(id, to: value, tellsWriter: true) }
    kick()
  }

  /// Changes the source's mode as someone at the other end of an HDMI cable does.
  package func changeSource() {
    state.withLock { $0.changeSource() }
    kick()
  }

  /// Wakes those who wait for the camera.
  func kick() {
    for descriptor in state.withLock({ $0.descriptors }) { _ = cv4l2_signal_event(descriptor) }
  }

  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

extension FakeCamera.State {
  /// Counts a call; the `errno` it is to fail with, 0 for none.
  mutating func enter(_ call: FakeCall) -> Int32 {
    counts[call, default: 0] += 1
    guard var list = faults[call] else { return 0 }
    defer { faults[call] = list.isEmpty ? nil : list }
    for index in list.indices {
      if list[index].skipped > 0 {
        list[index].skipped -= 1
        continue
      }
      let number = list[index].number
      list[index].times -= 1
      if list[index].times <= 0 { list.remove(at: index) }
      return number
    }
    return 0
  }
}
