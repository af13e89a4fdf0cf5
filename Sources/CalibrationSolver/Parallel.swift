import Locking

/// Independent pieces of work, spread over threads in fixed portions.
///
/// Threads are joined before the call returns. Starting one costs about 20 µs, which is why short work is
/// better done with one.
enum Parallel {
  /// Calls `body` once for each index in 0..<count, on up to `jobs` threads.
  ///
  /// Each index must write to memory of its own; then the result does not depend on `jobs`.
  static func forEach(_ count: Int, jobs: Int, _ body: @Sendable (Int) -> Void) {
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
      var started: [PlainThread] = []
      for thread in 1..<threads {
        let portion = Portion(first: thread, step: threads, count: count, body: body)
        if let thread = try? PlainThread({ portion.run() }) {
          started.append(thread)
        } else {
          // No thread to be had: the work is done here, only later.
          portion.run()
        }
      }
      Portion(first: 0, step: threads, count: count, body: body).run()
      for thread in started { thread.join() }
    }
  }

  /// The results of `body` for 0..<count, in order, computed on up to `jobs` threads.
  static func map<Element: Sendable>(
    _ count: Int, jobs: Int, _ body: @Sendable (Int) -> Element
  ) -> [Element] {
    let slots = Slots<Element>(count: count)
    forEach(count, jobs: jobs) { slots.base[$0] = body($0) }
    return (0..<count).compactMap { slots.base[$0] }
  }
}

/// Every `step`-th index from `first`, for one thread.
private final class Portion: Sendable {
  let first: Int
  let step: Int
  let count: Int
  let body: @Sendable (Int) -> Void

  init(first: Int, step: Int, count: Int, body: @escaping @Sendable (Int) -> Void) {
    self.first = first
    self.step = step
    self.count = count
    self.body = body
  }

  func run() {
    var index = first
    while index < count {
      body(index)
      index += step
    }
  }
}

// Sendable because each index is written by one thread only and read after all were joined.
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
