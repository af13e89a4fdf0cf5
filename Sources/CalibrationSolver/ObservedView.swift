import CameraModel

/// What one image tells: board points and where they were seen.
package struct ObservedView: Sendable, Hashable {
  /// The points on the board in board coordinates (metres or any unit), any shape.
  package var boardPoints: [SIMD3<Double>]
  /// Where each was seen, pixels in the pixel-centre convention.
  package var pixels: [SIMD2<Double>]
  /// Whether each point takes part; a view without any is left out of the solution.
  package var isUsed: [Bool]
  /// What the square of each residual is multiplied by, above 0; nil: 1 for all.
  package var weights: [Double]?

  /// Creates a view of as many board points as pixels; all take part unless `isUsed` says otherwise.
  package init(
    boardPoints: [SIMD3<Double>], pixels: [SIMD2<Double>], isUsed: [Bool]? = nil
  ) {
    self.boardPoints = boardPoints
    self.pixels = pixels
    self.isUsed = isUsed ?? Array(repeating: true, count: pixels.count)
  }

  /// Residuals of this view in the unit that all points share: each times the root of its weight.
  func weighted(_ residuals: [SIMD2<Double>]) -> [SIMD2<Double>] {
    guard let weights else { return residuals }
    return zip(residuals, weights).map { $0 * $1.squareRoot() }
  }

  /// Σ‖residual‖² over the used points, weighted.
  func squares(_ residuals: [SIMD2<Double>]) -> Double {
    var sum = 0.0
    for (r, isUsed) in zip(weighted(residuals), isUsed) where isUsed { sum += (r * r).sum() }
    return sum
  }

  /// The weighted lengths of residuals, of used points only.
  func norms(_ residuals: [SIMD2<Double>]) -> [Double] {
    zip(weighted(residuals), isUsed).compactMap { r, isUsed in
      isUsed ? (r * r).sum().squareRoot() : nil
    }
  }

  /// What the square of a point's residual is multiplied by.
  package func weight(_ point: Int) -> Double { weights.map { $0[point] } ?? 1 }

  /// The number of points that take part.
  package var usedCount: Int { isUsed.count { $0 } }
}

extension ObservedView {
  /// Refuses counts that do not fit, numbers that are not finite, and 1 to 3 used points.
  func validate(index: Int, pose: Pose) throws(SolverError) {
    guard boardPoints.count == pixels.count, isUsed.count == pixels.count else {
      throw SolverError(
        .mismatchedInput, view: index,
        message: "\(boardPoints.count) board points, \(pixels.count) pixels and "
          + "\(isUsed.count) marks; the counts must be equal")
    }
    let isFinite =
      pose.rotation.isFinite && pose.translation.isFinite
      && zip(boardPoints, pixels).allSatisfy { $0.isFinite && $1.isFinite }
    guard isFinite else {
      throw SolverError(
        .nonFinite, view: index,
        message: "a point, a pixel or the start pose is not a finite number")
    }
    if let weights, weights.count != pixels.count || !weights.allSatisfy({ $0 > 0 && $0.isFinite })
    {
      throw SolverError(
        .mismatchedInput, view: index,
        message: "as many weights as points are needed, each above 0")
    }
    guard usedCount == 0 || usedCount >= 4 else {
      throw SolverError(
        .tooFewPoints, view: index,
        message: "\(usedCount) points; a view needs at least 4, or leave it out")
    }
  }
}
