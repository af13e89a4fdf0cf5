import Locking
import OpenCV

/// How the time of a search through frames divides into reading and detecting, which go on at the same
/// time on several threads.
///
/// CPU time is summed: what each thread spent, and the child processes, of which those that search count
/// for detecting and all others (video decoders) for reading. The time on the clock is that of the whole,
/// divided as the threads' own time on the clock was.
final class SearchClock: Sendable {
  private struct State: Sendable {
    var read = StageClock.Time.zero
    var detect = StageClock.Time.zero
  }

  private let state = Lock(State())
  private let started = StageClock.Time.now
  private let childrenBefore = ChildTime.now

  /// Reads on the calling thread.
  func read<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = StageClock.Time.ofThisThread
    defer { state.withLock { $0.read += .ofThisThread - before } }
    return try work()
  }

  /// Looks for the board on the calling thread.
  func detect<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = StageClock.Time.ofThisThread
    defer { state.withLock { $0.detect += .ofThisThread - before } }
    return try work()
  }

  /// Adds what was measured to the two stages.
  func finish(_ stages: StageClock) {
    let whole = (StageClock.Time.now - started).wallSeconds
    let children = ChildTime.now
    var (read, detect) = state.withLock { ($0.read, $0.detect) }
    let searches = children.searches - childrenBefore.searches
    let share = read.wallSeconds / max(1e-9, read.wallSeconds + detect.wallSeconds)
    read.cpuSeconds += max(0, children.all - childrenBefore.all - searches)
    detect.cpuSeconds += searches
    read.wallSeconds = share * whole
    detect.wallSeconds = (1 - share) * whole
    stages.add(read, to: .read)
    stages.add(detect, to: .detect)
  }
}

/// The CPU time of child processes that have ended, seconds.
private struct ChildTime: Sendable {
  var all: Double
  var searches: Double

  static var now: ChildTime {
    ChildTime(all: StageClock.Time.ofChildren, searches: ChessboardSearch.cpuSecondsOfAll)
  }
}
