import Glibc

/// How far the corners of each view miss, and which views miss by far more than the others.
struct ViewSpreads {
  /// σ per axis of each view that takes part, from the median of its residuals, pixels.
  let all: [(view: Int, sigma: Double)]
  /// The median of them.
  private let centre: Double
  /// From here up a view does not fit; nil where too few views say what is usual.
  let limit: Double?

  /// Finds the limit: three times the median, and five robust deviations of the logarithm beyond it.
  ///
  /// A lens model's error makes views near the corners worse by less than that, and gradually, which
  /// widens the robust deviation itself.
  init(_ all: [(view: Int, sigma: Double)]) {
    self.all = all
    centre = median(all.map(\.sigma)) ?? 0
    guard all.count >= 4, centre > 0 else {
      limit = nil
      return
    }
    let centre = centre
    let spread = median(all.map { abs(log($0.sigma / centre)) }) ?? 0
    limit = centre * max(3, exp(5 * 1.4826 * spread))
  }

  /// Views whose spread is far above the others', each with the reason.
  var misfits: [(view: Int, reason: String)] {
    guard let limit, let worst = all.map(\.sigma).max(), worst > limit else { return [] }
    // The worst may have spoilt the fit for others: those far below it are judged again later.
    return all.filter { $0.sigma > limit && $0.sigma > worst / 2 }.map { view, sigma in
      (
        view,
        "does not fit: its corners miss by \(pixels(sigma)) px where other views miss by "
          + "\(pixels(centre)) px; wrong detection, moved focus or motion"
      )
    }
  }
}

/// Two digits after the point: residuals for people.
private func pixels(_ value: Double) -> String {
  let hundredths = Int((min(value, 1e6) * 100).rounded())
  let fraction = hundredths % 100
  return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
}
