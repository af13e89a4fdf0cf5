import Glibc

/// Whether tests with the full numbers of seeds run too, as `make test-long` asks for.
let runsLongTests = getenv("CAMERA_INTRINSICS_LONG_TESTS") != nil

/// The number of seeds of a Monte Carlo test, and how far a ratio of deviations may be off.
///
/// The inner loops take some thirty times longer without optimisation, so a debug build runs fewer
/// seeds, with limits as much wider; the long tests (in a release build) run them all.
struct MonteCarlo {
  /// The number of repetitions.
  var seeds: Int

  /// `debug` or `release` seeds in `swift test`, all 1000 in the long tests.
  init(debug: Int, release: Int) {
    #if DEBUG
      seeds = runsLongTests ? 1000 : debug
    #else
      seeds = runsLongTests ? 1000 : release
    #endif
  }

  /// The limits of a ratio of deviations: 0.9–1.1 for 1000 seeds, else four standard errors, one
  /// being 1/√(2·seeds) (200 seeds: 0.8–1.2, 400: 0.86–1.14).
  var limits: ClosedRange<Double> {
    let width = seeds >= 1000 ? 0.1 : 4 / (2 * Double(seeds)).squareRoot()
    return (1 - width)...(1 + width)
  }
}

/// Mean and deviation of a row of numbers.
struct Spread {
  private var count = 0.0
  private var sum = 0.0
  private var squares = 0.0

  mutating func add(_ value: Double) {
    count += 1
    sum += value
    squares += value * value
  }

  var mean: Double { sum / count }
  /// The root of the mean square, about 0.
  var rootMeanSquare: Double { (squares / count).squareRoot() }
  var deviation: Double { ((squares - sum * sum / count) / (count - 1)).squareRoot() }
}
