internal import Synchronization

/// Independent pieces of work, spread over threads.
///
/// All threads are done with it before a call returns. They wait for the next call (`WorkerThread`), so
/// that one call soon after another does not start threads anew.
package enum Parallel {
  /// Calls `body` once for each index in 0..<count, on up to `jobs` threads.
  ///
  /// Each index must write to memory of its own; then the result does not depend on `jobs`. Where no more
  /// threads are to be had, the calling one does it all.
  package static func forEach(_ count: Int, jobs: Int, _ body: @Sendable (Int) -> Void) {
    let threads = max(1, min(jobs, count))
    guard threads > 1 else {
      var index = 0
      while index < count {
        body(index)
        index += 1
      }
      return
    }
    withoutActuallyEscaping(body) { body in
      let work = Portions(count: count, size: max(1, count / (8 * threads)), body: body)
      let workers = WorkerThread.take(threads - 1)
      for worker in workers { worker.offer { work.run() } }
      work.run()
      for worker in workers { worker.withdraw() }
      WorkerThread.giveBack(workers)
    }
  }

  /// The results of `body` for 0..<count, in order, computed on up to `jobs` threads.
  package static func map<Element: Sendable>(
    _ count: Int, jobs: Int, _ body: @Sendable (Int) -> Element
  ) -> [Element] {
    let slots = Slots<Element>(count: count)
    forEach(count, jobs: jobs) { slots.base[$0] = body($0) }
    return (0..<count).compactMap { slots.base[$0] }
  }

  /// The results of two pieces of work, done side by side where `jobs` allows it.
  package static func both<First: Sendable, Second: Sendable>(
    jobs: Int, _ first: @Sendable () -> First, and second: @Sendable () -> Second
  ) -> (First, Second) {
    let (one, other) = (Slots<First>(count: 1), Slots<Second>(count: 1))
    forEach(2, jobs: jobs) { index in
      if index == 0 { one.base[0] = first() } else { other.base[0] = second() }
    }
    return (one.base[0] ?? first(), other.base[0] ?? second())
  }
}

/// Work in portions that each thread takes as it comes to them: one that wakes late takes fewer.
private final class Portions: Sendable {
  private let next = Atomic<Int>(0)
  private let count: Int
  private let size: Int
  private let body: @Sendable (Int) -> Void

  init(count: Int, size: Int, body: @escaping @Sendable (Int) -> Void) {
    self.count = count
    self.size = size
    self.body = body
  }

  func run() {
    while true {
      let first = next.wrappingAdd(size, ordering: .relaxed).oldValue
      guard first < count else { return }
      var index = first
      while index < min(first + size, count) {
        body(index)
        index += 1
      }
    }
  }
}

// Sendable because each index is written by one thread only and read after all are done.
private final class Slots<Element>: @unchecked Sendable {
  let base: UnsafeMutablePointer<Element?>
  let count: Int

  init(count: Int) {
    self.count = count
    base = .allocate(capacity: max(1, count))
    base.initialize(repeating: nil, count: count)
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }
}
