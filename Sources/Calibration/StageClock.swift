import Glibc
import Locking

/// Where the time of a calibration goes, stage by stage.
///
/// CPU time is that of all threads and of the child processes that have ended: searches for the board
/// run in such.
package final class StageClock: Sendable {
  /// The parts of a calibration.
  package enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Finding files, reading and decoding them.
    case read
    /// Looking for the board.
    case detect
    /// Start values, minimisation, covariances and the uncertainty grid.
    case solve
    /// Folds, residual tests and the choice of coefficients.
    case evaluate
    /// Whether another lens model than the one that was asked for explains the views better: fits of the
    /// others, where there are many views to a part of them.
    case hint
  }

  /// A span of time, seconds.
  package struct Time: Sendable, Hashable {
    /// What processors spent.
    package var cpuSeconds: Double
    /// What passed on the clock.
    package var wallSeconds: Double

    package static let zero = Time(cpuSeconds: 0, wallSeconds: 0)

    package static func - (a: Time, b: Time) -> Time {
      Time(cpuSeconds: a.cpuSeconds - b.cpuSeconds, wallSeconds: a.wallSeconds - b.wallSeconds)
    }

    package static func += (a: inout Time, b: Time) {
      a.cpuSeconds += b.cpuSeconds
      a.wallSeconds += b.wallSeconds
    }
  }

  private struct State: Sendable {
    var times: [Stage: Time] = [:]
    var stage: Stage?
    var mark: Time
  }

  private let state: Lock<State>
  private let started: Time

  /// Starts a clock that stands at no stage.
  package init() {
    started = .now
    state = Lock(State(mark: started))
  }

  /// Does a piece of work whose time belongs to a stage.
  ///
  /// A stage within another takes its time from that one. To be used from one thread; what other
  /// threads do meanwhile counts.
  package func measure<Result, Failure: Error>(
    _ stage: Stage, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = change(to: stage)
    defer { change(to: outer) }
    return try work()
  }

  /// Adds time to a stage.
  package func add(_ time: Time, to stage: Stage) {
    state.withLock { $0.times[stage, default: .zero] += time }
  }

  @discardableResult
  private func change(to stage: Stage?) -> Stage? {
    let now = Time.now
    return state.withLock { state in
      if let current = state.stage { state.times[current, default: .zero] += now - state.mark }
      defer { state.stage = stage }
      state.mark = now
      return state.stage
    }
  }

  /// The time of a stage so far.
  package subscript(stage: Stage) -> Time { state.withLock { $0.times[stage] ?? .zero } }

  /// The CPU time of the whole process so far, and the time since this clock was started.
  package var total: Time {
    let now = Time.now
    return Time(
      cpuSeconds: now.cpuSeconds, wallSeconds: now.wallSeconds - started.wallSeconds)
  }
}

extension StageClock.Time {
  /// All threads of the process and its children that have ended, since the process began; the clock
  /// since any moment.
  package static var now: StageClock.Time {
    Self(
      cpuSeconds: seconds(of: CLOCK_PROCESS_CPUTIME_ID) + ofChildren,
      wallSeconds: seconds(of: CLOCK_MONOTONIC))
  }

  /// The CPU time of the children that have ended, seconds.
  static var ofChildren: Double {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  /// The calling thread alone.
  static var ofThisThread: StageClock.Time {
    Self(
      cpuSeconds: seconds(of: CLOCK_THREAD_CPUTIME_ID), wallSeconds: seconds(of: CLOCK_MONOTONIC))
  }

  private static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
