/// Tells wrong points from a wrong lens model.
struct PointJudge {
  /// σ per axis over all views.
  var sigma: Double
  /// In σ.
  var threshold: Double

  /// For each point of a view whether it takes part: used as given, and within the threshold.
  ///
  /// A view that is as a whole less sharp is judged by its own spread.
  func keep(_ view: ObservedView, residuals: [SIMD2<Double>]) -> [Bool] {
    let residuals = view.weighted(residuals)
    let norms = residuals.map { ($0 * $0).sum().squareRoot() }
    let used = norms.indices.filter { view.isUsed[$0] }
    let own = RobustSpread.sigma(ofNorms: used.map { norms[$0] }) ?? 0
    let limit = threshold * max(sigma, own)
    return norms.indices.map { point in
      guard view.isUsed[point] else { return false }
      guard norms[point] >= limit, limit > 0 else { return true }
      return !standsOut(point, view, residuals, limit)
    }
  }

  /// Whether so many of a view's points are kept that it is a view with wrong corners, and not a wrong
  /// view: half of them.
  static func isEnough(_ kept: [Bool], of view: ObservedView) -> Bool {
    let count = kept.count { $0 }
    return count * 2 >= view.usedCount && count >= 4
  }

  /// Whether the residual also differs from the median of its neighbours' by more than the limit.
  private func standsOut(
    _ point: Int, _ view: ObservedView, _ residuals: [SIMD2<Double>], _ limit: Double
  ) -> Bool {
    guard residuals[point].isFinite else { return true }
    let others = view.boardPoints.indices.filter {
      $0 != point && view.isUsed[$0] && residuals[$0].isFinite
    }
    let distances = others.map { other in
      let d = view.boardPoints[other] - view.boardPoints[point]
      return (d * d).sum().squareRoot()
    }
    guard let nearest = distances.min() else { return true }
    // The eight around it on a square grid.
    let near = zip(others, distances).filter { $1 < 1.6 * nearest }.map { residuals[$0.0] }
    guard let x = median(near.map(\.x)), let y = median(near.map(\.y)) else { return true }
    let difference = residuals[point] - SIMD2(x, y)
    return (difference * difference).sum().squareRoot() >= limit
  }
}
