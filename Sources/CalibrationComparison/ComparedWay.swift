internal import CalibrationStore
internal import CameraModel

/// A comparison one way: where a second camera sees what a first one sees at its pixels.
struct ComparedWay {
  /// The difference over the image: second − first, where the first one's pixel stands.
  var field: DifferenceField
  /// 1σ of the difference at each cell, pixels; empty where neither says how well it is known.
  var predicted: [Double?]
  /// A rotation vector from the first one's frame to the second's, radians.
  var turn: SIMD3<Double>
  /// The root of the mean of (difference / predicted)²; nil without a prediction.
  var ratio: Double?
  /// The probability of so large a ratio by chance.
  var probability: Double?
  /// What can be said.
  var outcome: Comparison.Outcome

  /// Nil where too little of what the first one sees is seen by the second, or no turn brings them together.
  init?(_ first: IntrinsicsRecord, _ second: IntrinsicsRecord, weights: [Double]) {
    guard let alignment = Alignment(first.camera, second.camera, weights: weights) else {
      return nil
    }
    field = alignment.field
    turn = alignment.rotation.rotationVector
    let size = first.camera.resolution
    let uncertainties = [first, second].map(CameraUncertainty.init)
    let known = uncertainties.compactMap(\.self)
    guard !known.isEmpty else {
      predicted = []
      let limit = Comparison.blindLimit * size.diagonal
      outcome = (field.p90 ?? .infinity) > limit ? .differ : .noDifference
      return
    }
    let prediction = Prediction(alignment, uncertainties, weights: weights)
    predicted = prediction.sigma
    let test = prediction.test(field, degreesOfFreedom: known.map(\.degreesOfFreedom))
    ratio = test.ratio
    probability = test.probability
    let limit = Comparison.telling(size, known: known.count)
    if test.probability < Comparison.doubtfulLevel {
      outcome = test.probability < Comparison.level ? .differ : .doubtful
    } else if (field.worst?.pixels ?? .infinity) <= Comparison.rounding
      || (DifferenceField.level(0.9, of: predicted) ?? .infinity) <= limit
    {
      outcome = .noDifference
    } else {
      outcome = .notToldApart
    }
  }

  /// The same with both called the other way round; places are the second one's, as they were.
  var reversed: ComparedWay {
    var way = self
    way.field.differences = field.differences.map { $0.map { -$0 } }
    way.turn = -turn
    return way
  }

  /// Whether it says more against the two being one camera than another way does.
  func isGraver(than other: ComparedWay) -> Bool {
    if outcome != other.outcome { return outcome.gravity > other.outcome.gravity }
    return (probability ?? 1, -(ratio ?? 0)) < (other.probability ?? 1, -(other.ratio ?? 0))
  }
}
