internal import CalibrationSolver
package import CalibrationStore
package import CameraModel

/// What tells two calibrations of images of one size apart: by how many pixels they place a direction
/// differently once the turn that suits best was taken out, and by how many they may.
///
/// Two calibrations of one camera differ by a turn of the camera frame too, which means nothing: poses
/// take it up. The turn is fitted to directions all over the image, weighted by how well both know
/// them. What may be left is predicted from both covariances after the same fit.
package struct Comparison: Sendable {
  /// The difference over the image: B − A, where A's pixel stands.
  package var field: DifferenceField
  /// 1σ of the difference at each cell, pixels, from the covariances; nil without data there.
  ///
  /// Empty where neither calibration says how well it is known.
  package var predicted: [Double?]
  /// The turn that was taken out: a rotation vector from A's frame to B's, radians.
  package var turn: SIMD3<Double>
  /// The root of the mean over the image of (difference / predicted)²; nil without a prediction.
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
  /// - Throws: `ComparisonError` where sizes differ, or both see no common part of the image.
  package init(_ a: IntrinsicsRecord, _ b: IntrinsicsRecord) throws(ComparisonError) {
    let size = a.camera.resolution
    guard size == b.camera.resolution else {
      throw ComparisonError(
        .otherSize,
        "A is for images of \(size), B for \(b.camera.resolution): modes of a camera often see "
          + "different parts of the scene; --scale takes B as resized to \(size)")
    }
    let uncertainties = [a, b].map(CameraUncertainty.init)
    let weights = Self.weights(a, b)
    guard let alignment = Alignment(a.camera, b.camera, weights: weights) else {
      throw ComparisonError(
        .nothingInCommon,
        "the two lens models have no directions in common over most of the image, or no turn brings "
          + "them together: one of the calibrations can't be right")
    }
    field = alignment.field
    turn = alignment.rotation.rotationVector
    notices = []
    let known = uncertainties.compactMap(\.self)
    guard !known.isEmpty else {
      predicted = []
      let limit = Self.blindLimit * size.diagonal
      outcome = (field.p90 ?? .infinity) > limit ? .differ : .noDifference
      notices.append(
        "neither says how well it is known: judged by whether 90 % of the image lies within "
          + "\(fixed(100 * Self.blindLimit, 1)) % of the diagonal, \(fixed(limit, 2)) px")
      return
    }
    for (uncertainty, name) in zip(uncertainties, ["A", "B"]) where uncertainty == nil {
      notices.append("\(name) does not say how well it is known: taken as exact")
    }
    let prediction = Prediction(alignment, uncertainties, weights: weights)
    predicted = prediction.sigma
    let test = prediction.test(field, degreesOfFreedom: known.map(\.degreesOfFreedom))
    ratio = test.ratio
    probability = test.probability
    let limit = Self.telling(size, known: known.count)
    if test.probability < Self.doubtfulLevel {
      outcome = test.probability < Self.level ? .differ : .doubtful
    } else if (field.worst?.pixels ?? .infinity) <= Self.rounding
      || (DifferenceField.level(0.9, of: predicted) ?? .infinity) <= limit
    {
      outcome = .noDifference
    } else {
      outcome = .notToldApart
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
      let sum = variances.reduce(1e-4, +)
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
