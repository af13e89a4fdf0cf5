/// What a view says of one or two changes of its own: information S and score s, so that its estimate is
/// −S⁻¹·s.
struct OwnScore {
  /// S11, S12 and S22; the last two are 0 of one change.
  var information: SIMD3<Double>
  /// s; the second is 0 of one change.
  var score: SIMD2<Double>
  /// The number of changes.
  let count: Int

  /// - Parameters:
  ///   - information: S row by row: 1 or 4 numbers.
  ///   - score: 1 or 2 numbers.
  init(information: [Double], score: [Double]) {
    count = score.count
    self.information =
      count == 1
      ? SIMD3(information[0], 0, 0) : SIMD3(information[0], information[1], information[3])
    self.score = count == 1 ? SIMD2(score[0], 0) : SIMD2(score[0], score[1])
  }

  /// S⁻¹·s; nil where S is not positive definite, to within rounding.
  var solved: SIMD2<Double>? {
    let (first, mixed, second) = (information.x, information.y, information.z)
    guard first > 0, first.isFinite else { return nil }
    guard count > 1 else { return SIMD2(score.x / first, 0) }
    let rest = second - mixed * mixed / first
    guard rest > 1e-14 * second, rest > 0, rest.isFinite else { return nil }
    let y = (score.y - mixed / first * score.x) / rest
    return SIMD2((score.x - mixed * y) / first, y)
  }

  /// By how much the change lowers Σr²: sᵀ·S⁻¹·s.
  var gain: Double {
    guard let solved else { return 0 }
    return solved.x * score.x + solved.y * score.y
  }

  static func + (a: OwnScore, b: OwnScore) -> OwnScore {
    var sum = a
    sum.information += b.information
    sum.score += b.score
    return sum
  }

  static func - (a: OwnScore, b: OwnScore) -> OwnScore {
    var difference = a
    difference.information -= b.information
    difference.score -= b.score
    return difference
  }
}

/// Finds the views whose scores do not belong to the others'.
///
/// A view is compared with the mean and the spread of all others (it has pulled the shared camera
/// towards itself, which the comparison undoes). The most extreme is taken out again and again, up to a
/// third of the views; those up to the last significant comparison are outlying (Rosner, "Percentage
/// points for a generalized ESD many-outlier procedure", Technometrics 25 (1983)): two views that
/// moved hide each other from a test of one view, not from this.
struct OutlyingViews {
  /// Indices into the scores, ascending.
  var outlying: [Int] = []
  /// The root of the mean square of the whitened scores of the views that are not outlying, pixels.
  var spread = 0.0

  /// - Parameter level: The probability of a false alarm for all views together.
  init(_ scores: [OwnScore], level: Double) {
    guard let first = scores.first else { return }
    let width = Double(first.count)
    let gains = scores.map(\.gain)
    var rest = Array(scores.indices)
    // Of all views that are left: the sum of scores, and of what each view gains by itself. The misfit
    // about their common value is the difference of the gains.
    var sum = scores.dropFirst().reduce(first) { $0 + $1 }
    var gain = gains.reduce(0, +)
    var order: [Int] = []
    var last = 0
    spread = (max(0, gain - sum.gain) / Double(rest.count) / width).squareRoot()
    while order.count < scores.count / 3, rest.count > 4 {
      // What is left without each view; the most extreme leaves the least.
      let without = rest.map { gain - gains[$0] - (sum - scores[$0]).gain }
      guard let least = without.min(), let place = without.firstIndex(of: least), least > 0 else {
        break
      }
      let degrees = width * Double(rest.count - 2)
      let f = max(0, gain - sum.gain - least) / width / (least / degrees)
      // Bonferroni over the views that could have been the most extreme.
      let isSignificant =
        Significance.tail(f: f, width, degrees) * Double(rest.count) < level
      let view = rest.remove(at: place)
      order.append(view)
      sum = sum - scores[view]
      gain -= gains[view]
      if isSignificant {
        last = order.count
        spread = (least / Double(rest.count) / width).squareRoot()
      }
    }
    outlying = order.prefix(last).sorted()
  }
}
