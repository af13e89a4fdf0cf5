/// Numbers that several threads write, each to places of its own, before one reads them all.
// Sendable because no place is written by two threads, and all are read after all threads are done.
final class SharedNumbers: @unchecked Sendable {
  let base: UnsafeMutablePointer<Double>

  init(count: Int) { base = .allocate(capacity: max(1, count)) }

  deinit { base.deallocate() }
}
