import Glibc
internal import Synchronization

/// A thread that takes up one piece of work after another, and costs nothing while there is none.
///
/// Work that comes soon after the last is taken up within a microsecond: the thread looks out for it for
/// a while before it sleeps. Waking a sleeping thread takes longer, up to a tenth of a millisecond on a
/// virtual machine, whose idle processors have to be woken themselves; whoever offers the work does not
/// wait for that, but may withdraw what was not begun.
///
/// Threads are kept for the next caller and end with the process. A child of fork(2) has none of them and
/// must not use this.
package final class WorkerThread: Sendable {
  /// No work.
  private static var idle: Int { 0 }
  /// Work that waits to be begun.
  private static var offered: Int { 1 }
  /// Work that is being done.
  private static var running: Int { 2 }
  /// The nanoseconds for which a wait looks at `state` again and again before it sleeps.
  private static var attention: Int { 100_000 }

  private static let waiting = Lock<[WorkerThread]>([])

  private let state = Atomic<Int>(WorkerThread.idle)
  private let sleepers = Atomic<Int>(0)
  // The number of knocks; not `Void`, as what has no size shares its address with whatever lies behind
  // it, which the thread sanitizer takes for a race.
  private let bed = WaitableLock(0)
  // Written by the one who has taken this thread, and only while `state` is `idle`; read by the thread
  // itself while it is `running`. The changes of `state` order the two.
  nonisolated(unsafe) private var work: (@Sendable () -> Void)?

  private init() {}

  /// Up to `count` threads without work, started where none wait; fewer where no more are to be had.
  ///
  /// They belong to the caller until they are given back.
  package static func take(_ count: Int) -> [WorkerThread] {
    var taken = waiting.withLock { all in
      let some = Array(all.suffix(count))
      all.removeLast(some.count)
      return some
    }
    while taken.count < count {
      let worker = WorkerThread()
      guard let thread = try? PlainThread({ worker.run() }) else { break }
      thread.detach()
      taken.append(worker)
    }
    return taken
  }

  /// Lets others take threads whose work has been withdrawn or has ended.
  package static func giveBack(_ workers: [WorkerThread]) {
    waiting.withLock { $0.append(contentsOf: workers) }
  }

  /// Gives work to a thread that has none.
  package func offer(_ work: @escaping @Sendable () -> Void) {
    self.work = work
    enter(Self.offered)
  }

  /// Takes back work that was not begun, or waits until it has ended; then nothing of it is held.
  package func withdraw() {
    let change = state.compareExchange(
      expected: Self.offered, desired: Self.idle, ordering: .sequentiallyConsistent)
    if !change.exchanged { wait(while: Self.running) }
    work = nil
  }

  private func run() {
    while true {
      wait(while: Self.idle)
      let change = state.compareExchange(
        expected: Self.offered, desired: Self.running, ordering: .sequentiallyConsistent)
      guard change.exchanged else { continue }
      runWork()
      enter(Self.idle)
    }
  }

  // Not inlined: no reference to the work may outlive this call, as its captures may not escape.
  @inline(never)
  private func runWork() { work?() }

  private func enter(_ next: Int) {
    state.store(next, ordering: .sequentiallyConsistent)
    if sleepers.load(ordering: .sequentiallyConsistent) > 0 { bed.change { $0 &+= 1 } }
  }

  private func wait(while old: Int) {
    func isOver() -> Bool { state.load(ordering: .sequentiallyConsistent) != old }
    let end = Self.now() + Self.attention
    while !isOver() {
      guard Self.now() < end else { return sleep(until: isOver) }
      // On a machine that has other things to do they come first.
      sched_yield()
    }
  }

  /// Who changes `state` afterwards sees a sleeper; who did before is seen by `isOver`.
  private func sleep(until isOver: () -> Bool) {
    sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    while bed.wait(milliseconds: 60_000, until: { _ in isOver() ? true : nil }) == nil {}
    sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }

  /// Nanoseconds on a clock that nobody sets.
  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
