import Glibc

/// Pieces of work that are measured in turns, so that what else the machine does hits all alike.
struct Comparison {
  var names: [String] = []
  private var bodies: [() -> Void] = []
  /// The median time of each, milliseconds of the thread's processor time.
  private(set) var medians: [Double] = []
  /// The median over the rounds of each one's time divided by the first one's in the same round.
  private(set) var ratios: [Double] = []

  /// Adds a piece; the first one is what the others are divided by.
  mutating func add(_ name: String, _ body: @escaping () -> Void) {
    names.append(name)
    bodies.append(body)
  }

  /// Runs all pieces in turns; three rounds more warm up.
  mutating func run(rounds: Int) {
    var times = [[Double]](repeating: [], count: bodies.count)
    for round in -3..<rounds {
      for (index, body) in bodies.enumerated() {
        let start = Self.now()
        body()
        let time = Self.now() - start
        if round >= 0 { times[index].append(time) }
      }
    }
    medians = times.map(Self.median)
    ratios = times.map { own in Self.median(zip(own, times[0]).map { $0 / $1 }) }
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}
