import BoardDetection
import CalibrationStore
import CameraModel

/// Which of the detected views take part, and why the others do not.
struct ViewSelection {
  /// The views that take part, in the order of the frames.
  var kept: [DetectedView] = []
  /// The others with the reason of each.
  var setAside: [(view: DetectedView, reason: String)] = []

  /// Two views whose corners moved by less than this share of the image's diagonal, on average, are
  /// one view: the second tells nothing new about the camera and would pass its noise off as
  /// agreement.
  static let duplicateDistance = 0.002

  /// A view counts as blurred from this many pixels of blur (1σ) on...
  static let blurFloor = 2.0
  /// ...if it also has this many times the median blur of the set: a set that is soft throughout
  /// is still the best there is.
  static let blurRatio = 2.5

  /// Chooses among `views`, which all have the size `resolution`.
  init(_ views: [DetectedView], resolution: Resolution, maximumCount: Int?) {
    let tolerance = Self.duplicateDistance * resolution.diagonal
    let blurs = views.map(\.board.blurSigma).sorted()
    let blurLimit = max(
      Self.blurFloor, Self.blurRatio * (blurs.isEmpty ? 0 : blurs[blurs.count / 2]))
    for view in views {
      if view.board.blurSigma > blurLimit {
        setAside.append((view, "blurred: edges are \(fixed(view.board.blurSigma, 1)) px wide (1σ)"))
      } else if let twin = kept.first(where: { Self.distance($0, view) < tolerance }) {
        setAside.append((view, "duplicate of \(twin.source)"))
      } else {
        kept.append(view)
      }
    }
    if let maximumCount, kept.count > maximumCount { limit(to: maximumCount) }
  }

  private static func distance(_ a: DetectedView, _ b: DetectedView) -> Double {
    distance(a.board.corners, b.board.corners)
  }

  /// The mean distance of like corners that were seen in both of two images, pixels.
  static func distance(_ corners: [SIMD2<Double>], _ others: [SIMD2<Double>]) -> Double {
    var (sum, count) = (0.0, 0)
    for (here, there) in zip(corners, others) {
      let d = here - there
      let distance = (d * d).sum().squareRoot()
      // NaN where either was not seen.
      guard distance.isFinite else { continue }
      sum += distance
      count += 1
    }
    // Without a corner in common there is nothing alike.
    return count == 0 ? .infinity : sum / Double(count)
  }

  /// Keeps the `count` views that differ most: from the first one on, always the view that is
  /// farthest from all that are kept.
  private mutating func limit(to count: Int) {
    let chosen = Set(Self.mostDifferent(kept, count: count))
    let all = kept
    kept = []
    for (index, view) in all.enumerated() {
      if chosen.contains(index) {
        kept.append(view)
      } else {
        setAside.append((view, "not among the \(count) views that differ most (--max-views)"))
      }
    }
  }

  /// The indices of the `count` views that differ most from one another.
  static func mostDifferent(_ views: [DetectedView], count: Int) -> [Int] {
    guard views.count > count else { return Array(views.indices) }
    var chosen = [0]
    var nearest = views.map { distance(views[0], $0) }
    while chosen.count < count {
      guard let next = nearest.indices.max(by: { nearest[$0] < nearest[$1] }) else { break }
      chosen.append(next)
      for index in views.indices {
        nearest[index] = min(nearest[index], distance(views[next], views[index]))
      }
    }
    return chosen.sorted()
  }
}
