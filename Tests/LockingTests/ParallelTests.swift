import Dispatch
import Glibc
import Locking
import Testing

@Suite("Work spread over threads")
struct ParallelTests {
  @Test("does each piece once, however many there are and threads", arguments: [1, 2, 3, 9])
  func eachOnce(jobs: Int) {
    for count in [0, 1, 2, 7, 100, 1001] {
      let tally = Tally(count)
      Parallel.forEach(count, jobs: jobs) { tally.add($0) }
      #expect(tally.counts == Array(repeating: 1, count: count))
      #expect(Parallel.map(count, jobs: jobs) { $0 * $0 } == (0..<count).map { $0 * $0 })
    }
  }

  @Test(arguments: [1, 2, 3]) func doesTwoThingsAndGivesBothResults(jobs: Int) {
    let (number, text) = Parallel.both(jobs: jobs) {
      6 * 7
    } and: {
      String(repeating: "a", count: 3)
    }
    #expect(number == 42)
    #expect(text == "aaa")
  }

  @Test func mayBeNestedAndUsedFromSeveralThreadsAtOnce() {
    let sums = Tally(8)
    DispatchQueue.concurrentPerform(iterations: 8) { caller in
      for _ in 0..<20 {
        let parts = Parallel.map(6, jobs: 3) { part in
          Parallel.map(10, jobs: 2) { part * 10 + $0 }.reduce(0, +)
        }
        if parts.reduce(0, +) == 59 * 60 / 2 { sums.add(caller) }
      }
    }
    #expect(sums.counts == Array(repeating: 20, count: 8))
  }
}

@Suite("A thread that waits for work")
struct WorkerThreadTests {
  @Test func doesWhatItIsOfferedAndIsDoneWithItWhenThatIsWithdrawn() throws {
    let worker = try #require(WorkerThread.take(1).first)
    defer { WorkerThread.giveBack([worker]) }
    let begun = Tally(1)
    let ended = Tally(1)
    for turn in 0..<2000 {
      worker.offer {
        begun.add(0)
        ended.add(0)
      }
      // Half of the time it has been waited for, else it may be withdrawn before it begins.
      if turn % 2 == 0 { #expect(comes { begun.counts[0] != turn / 2 }) }
      worker.withdraw()
      let (first, last) = (begun.counts[0], ended.counts[0])
      #expect(first == last)
      if turn % 2 == 1 { begun.set(0, to: turn / 2 + 1) }
      if turn % 2 == 1 { ended.set(0, to: turn / 2 + 1) }
    }
  }

  @Test func wakesFromSleep() throws {
    let worker = try #require(WorkerThread.take(1).first)
    defer { WorkerThread.giveBack([worker]) }
    let done = Tally(1)
    for turn in 1...20 {
      // Longer than it looks out for work.
      let end = DispatchTime.now() + .milliseconds(2)
      while DispatchTime.now() < end { sched_yield() }
      worker.offer { done.add(0) }
      #expect(comes { done.counts[0] == turn })
      worker.withdraw()
    }
  }

  @Test func holdsNothingOfWhatWasWithdrawn() throws {
    let worker = try #require(WorkerThread.take(1).first)
    defer { WorkerThread.giveBack([worker]) }
    weak var held: Tally?
    for _ in 0..<200 {
      let tally = Tally(1)
      held = tally
      worker.offer { tally.add(0) }
      worker.withdraw()
    }
    #expect(held == nil)
  }
}

/// Whether something comes true within a minute.
private func comes(_ condition: () -> Bool) -> Bool {
  let bound = DispatchTime.now() + .seconds(60)
  while !condition() {
    guard DispatchTime.now() < bound else { return false }
    sched_yield()
  }
  return true
}

/// Counts that several threads change.
private final class Tally: Sendable {
  private let state: Lock<[Int]>

  init(_ count: Int) { state = Lock(Array(repeating: 0, count: count)) }

  var counts: [Int] { state.withLock { $0 } }

  func add(_ index: Int) { state.withLock { $0[index] += 1 } }

  func set(_ index: Int, to value: Int) { state.withLock { $0[index] = value } }
}
