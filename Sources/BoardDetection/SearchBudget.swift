import Glibc
internal import Imaging
internal import OpenCV

/// The CPU time that one image may still take: of the searches' child processes and of the thread that
/// works on it.
struct SearchBudget: Sendable, Hashable {
  /// What is left, seconds; below 0 where the last piece of work took more than there was.
  private(set) var left: Double

  /// Does work on this thread, and takes its CPU time off.
  mutating func spend<Result>(_ work: (inout SearchBudget) throws -> Result) rethrows -> Result {
    let start = Self.threadSeconds()
    defer { left -= Self.threadSeconds() - start }
    return try work(&self)
  }

  /// What `work` leaves of a half of it; the rest is kept for others.
  mutating func lend<Result>(_ work: (inout SearchBudget) throws -> Result) rethrows -> Result {
    let lent = max(0, left) / 2
    var part = SearchBudget(left: lent)
    defer { left -= lent - part.left }
    return try work(&part)
  }

  /// The answer of a finder within what is left; nil if nothing is.
  mutating func run(
    _ request: ChessboardSearch, in image: GrayImage
  ) throws -> ChessboardSearch.Answer? {
    var search = request
    search.cpuSeconds = min(search.cpuSeconds, left)
    guard search.cpuSeconds > 0.005 else { return nil }
    let answer = try search.run(in: image)
    left -= answer.cpuSeconds
    return answer
  }

  private static func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
  }
}
