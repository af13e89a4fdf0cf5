import CameraModel

extension IntrinsicsRecord {
  /// What one lens model gives for the views of a calibration that chose among several.
  ///
  /// All figures are on the same points, so that they can be compared; the calibration's own figures rest
  /// on the points that the chosen model explains.
  public struct LensCandidate: Sendable, Hashable {
    /// The lens model's name, as `LensModel.rawValue`; of a newer version perhaps one unknown to this.
    public var lensModel: String
    /// The number of parameters that were estimated: intrinsics and coefficients that earned their place;
    /// nil where the model could not be fitted.
    public var parameterCount: Int?
    /// √(Σr²/degrees of freedom) per axis, pixels; nil where the model could not be fitted.
    public var sigma: Double?
    /// The same for views that took no part in the estimate, pixels; nil also below 5 views.
    public var heldOutSigma: Double?
    /// By how many standard errors of the paired differences between views its held-out error lies above
    /// that of the best; 0 for the best; nil where it could not be compared.
    public var standardErrorsBehindBest: Double?
    /// The share of the image that it gives a direction to, 0…1; nil where it could not be fitted.
    public var imageShare: Double?
    /// Whether this is the record's lens model.
    public var isChosen: Bool
    /// What else is to be said, for example why it was not compared; nil where there is nothing.
    public var note: String?

    /// Creates a candidate of which nothing is known yet.
    public init(lensModel: String, isChosen: Bool = false) {
      self.lensModel = lensModel
      self.isChosen = isChosen
    }
  }
}

extension IntrinsicsRecord.LensCandidate {
  init(_ field: JSONField) throws(JSONError) {
    try self.init(
      lensModel: field.member("lensModel").string(), isChosen: field.member("chosen").boolean())
    parameterCount = try field.optionalMember("parameters")?.integer(in: 0...1000)
    sigma = try field.optionalMember("sigma")?.number()
    heldOutSigma = try field.optionalMember("heldOutSigma")?.number()
    standardErrorsBehindBest = try field.optionalMember("standardErrorsBehindBest")?.number()
    imageShare = try field.optionalMember("imageShare")?.number()
    note = try field.optionalMember("note")?.string()
  }

  var jsonValue: JSONValue {
    .object([
      .init("lensModel", .string(lensModel)),
      .init("parameters", parameterCount.map { .integer($0) } ?? .null),
      .init("sigma", .optional(sigma)), .init("heldOutSigma", .optional(heldOutSigma)),
      .init("standardErrorsBehindBest", .optional(standardErrorsBehindBest)),
      .init("imageShare", .optional(imageShare)), .init("chosen", .boolean(isChosen)),
      .init("note", .optional(note)),
    ])
  }
}

extension IntrinsicsRecord {
  /// What does not hold together in `lensComparison`; nil where all is well.
  var lensComparisonInconsistency: (key: String, message: String)? {
    guard let lensComparison else { return nil }
    let names = lensComparison.map(\.lensModel)
    guard Set(names).count == names.count else {
      return ("lensComparison", "a lens model is named twice")
    }
    let chosen = lensComparison.filter(\.isChosen).map(\.lensModel)
    guard chosen == [camera.lensModel.rawValue] else {
      return (
        "lensComparison",
        "expected the record's lens model \(camera.lensModel.rawValue), and no other, to be chosen"
      )
    }
    for (index, candidate) in lensComparison.enumerated() {
      let key = "lensComparison[\(index)]"
      let magnitudes = [
        ("sigma", candidate.sigma), ("heldOutSigma", candidate.heldOutSigma),
        ("standardErrorsBehindBest", candidate.standardErrorsBehindBest.map { abs($0) }),
        ("imageShare", candidate.imageShare),
      ]
      for (name, value) in magnitudes {
        if let value, !(value >= 0 && value.isFinite) {
          return ("\(key).\(name)", "found \(value), expected a finite number, not negative")
        }
      }
      if let share = candidate.imageShare, share > 1 {
        return ("\(key).imageShare", "found \(share), expected a share from 0 to 1")
      }
      if let count = candidate.parameterCount, !(0...1000).contains(count) {
        return ("\(key).parameters", "found \(count), expected from 0 to 1000")
      }
    }
    return nil
  }
}
