package import CalibrationStore
package import CameraModel

/// What tells two calibrations of images of one size apart: by how many pixels they place a direction
/// differently once the turn that suits best was taken out, and by how many they may.
///
/// Two calibrations of one camera differ by a turn of the camera frame too, which means nothing: poses
/// take it up. The turn is fitted to directions all over the image, weighted by how well both know
/// them. What may be left is predicted from both covariances after the same fit.
///
/// All of this is done both ways, from A's pixels to B's and back: what can be said must not depend on which is
/// called A, and is the graver of both answers.
package struct Comparison: Sendable {
  /// The difference over the image: B − A, where A's pixel stands.
  package var field: DifferenceField
  /// 1σ of the difference at each cell, pixels, from the covariances; nil without data there.
  ///
  /// Empty where neither calibration says how well it is known.
  package var predicted: [Double?]
  /// The turn that was taken out: a rotation vector from A's frame to B's, radians.
  package var turn: SIMD3<Double>
  /// The root of the mean over the image of (difference / predicted)², the graver way round; nil without a
  /// prediction.
  package var ratio: Double?
  /// The probability of so large a ratio, or a larger one, if both calibrations are of one camera.
  package var probability: Double?
  /// What can be said.
  package var outcome: Outcome
  /// Whether they differ.
  package var differs: Bool { outcome == .differ }
  /// What the reader should know.
  package var notices: [String]

  /// What two calibrations show.
  package enum Outcome: String, Sendable, Hashable {
    /// The difference is none of chance.
    case differ
    /// It is a rare one by chance, but not rare enough to say so.
    case doubtful
    /// It may be chance; but so may one be that would matter.
    case notToldApart
    /// It may be chance, and a difference that would matter would have been seen.
    case noDifference

    /// How grave it is: 0 where there is nothing to say.
    var gravity: Int {
      switch self {
      case .noDifference: 0
      case .notToldApart: 1
      case .doubtful: 2
      case .differ: 3
      }
    }
  }

  /// Differences as unlikely as this are none of chance.
  package static let level = 0.001
  /// Differences as unlikely as this are doubtful.
  package static let doubtfulLevel = 0.05
  /// Without any uncertainty, differences are judged by the share of the image's diagonal that 90 % of
  /// the image stays within: what a good calibration is measured by.
  package static let blindLimit = 0.001
  /// Below so many pixels a difference is that of the digits that files hold.
  static let rounding = 0.001
  /// Fewer cells than this in which both have an answer are no ground to judge by.
  static let fewestCells = 32

  /// Compares two calibrations.
  ///
  /// `outcome`, `ratio` and `probability` do not depend on their order.
  ///
  /// - Throws: `ComparisonError` where sizes differ, or both see no common part of the image.
  package init(_ a: IntrinsicsRecord, _ b: IntrinsicsRecord) throws(ComparisonError) {
    let size = a.camera.resolution
    guard size == b.camera.resolution else {
      throw ComparisonError(
        .otherSize,
        "A is for images of \(size), B for \(b.camera.resolution): modes of a camera often see "
          + "different parts of the scene; --scale takes B as resized to \(size)")
    }
    let weights = Self.weights(a, b)
    let there = ComparedWay(a, b, weights: weights)
    let back = ComparedWay(b, a, weights: weights)
    guard let shown = there ?? back?.reversed else {
      throw ComparisonError(
        .nothingInCommon,
        "the two lens models have no directions in common over most of the image, or no turn brings "
          + "them together: one of the calibrations can't be right")
    }
    field = shown.field
    predicted = shown.predicted
    turn = shown.turn
    (outcome, ratio, probability) = (shown.outcome, shown.ratio, shown.probability)
    notices = []
    for (record, name) in [(a, "A"), (b, "B")] where CameraUncertainty(record) == nil {
      notices.append("\(name) does not say how well it is known: taken as exact")
    }
    if notices.count == 2 {
      notices = [
        "neither says how well it is known: judged by whether 90 % of the image lies within "
          + "\(fixed(100 * Self.blindLimit, 1)) % of the diagonal, "
          + "\(fixed(Self.blindLimit * size.diagonal, 2)) px"
      ]
    }
    if there == nil {
      notices.append("most of what A sees B does not: differences stand where B's pixels are")
    } else if let back, back.isGraver(than: shown) {
      (outcome, ratio, probability) = (back.outcome, back.ratio, back.probability)
      if back.outcome != shown.outcome {
        notices.append(
          "judged the other way round, where B's pixels stand: there it is "
            + "\(fixed(back.field.p90, 2)) px (p90)")
      }
    }
  }

  /// The difference that 90 % of the image may be expected to stay within, 1σ, pixels, where it means
  /// something that none was seen: that of calibrations which are known to 0.1 % of the diagonal, as good
  /// ones are.
  ///
  /// - Parameter known: The number of calibrations that say how well they are known.
  package static func telling(_ size: Resolution, known: Int) -> Double {
    Double(known).squareRoot() * blindLimit * size.diagonal
  }

  /// Takes over what can be said from a comparison of the same two at another size.
  package mutating func takeVerdict(of other: Comparison) {
    (outcome, ratio, probability) = (other.outcome, other.ratio, other.probability)
  }

  /// For each cell the inverse of the variance by both records' own figures; 1 where these are missing.
  private static func weights(_ a: IntrinsicsRecord, _ b: IntrinsicsRecord) -> [Double] {
    let grids = [a, b].compactMap(\.projectionUncertainty).filter {
      $0.columns == DifferenceField.columns && $0.rows == DifferenceField.rows
        && $0.sigma.count == DifferenceField.count
    }
    guard !grids.isEmpty else { return Array(repeating: 1, count: DifferenceField.count) }
    // A hundredth of a pixel: nothing is known better, and no cell may decide alone.
    return (0..<DifferenceField.count).map { cell in
      let variances = grids.map { grid in grid.sigma[cell].map { $0 * $0 } ?? .infinity }
      let sum = 1e-4 + variances.reduce(0, +)
      return sum.isFinite && sum > 0 ? 1 / sum : 0
    }
  }
}

/// Why two calibrations can't be compared.
package struct ComparisonError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Code: Sendable, Hashable {
    /// They are for images of different sizes.
    case otherSize
    /// There is too little that both cameras see.
    case nothingInCommon
  }

  /// The kind of failure.
  package let code: Code
  /// What was found, and what to do.
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
