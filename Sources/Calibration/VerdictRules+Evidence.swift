import CalibrationStore

extension VerdictRules {
  /// What the verdict rests on.
  struct Evidence: Sendable {
    /// The number of used views.
    var viewCount: Int
    /// The projection uncertainty.
    var uncertainty: IntrinsicsRecord.ProjectionUncertainty?
    /// The residual figures.
    var error: IntrinsicsRecord.ReprojectionError
    /// Where the image saw the board.
    var coverage: IntrinsicsRecord.Coverage
    /// The largest tilt of a used view, degrees.
    var largestTilt: Double
    /// The radius share at which the distortion folds over inside the image, in words; nil if it does not.
    var foldOver: String?
    /// How far out a lens model for wide angles says something, where that is not the whole image, in words.
    var imageLimit: String?
    /// The coefficients that had to be held at 0 because the distortion folds over with them.
    var foldOverCoefficients: [String] = []
    /// The image's diagonal, pixels.
    var diagonal: Double
    /// Views that contradict the others, in words; empty if none do.
    var disagreements: [String]
    /// What may be wrong with the set as a whole, in words; empty if nothing is.
    var doubts: [String] = []
    /// Fixed values that the views contradict, in words.
    var contradictedValues: [String] = []
    /// The share of the image that stays within 0.1 and within 0.4 % of the diagonal where those values are
    /// estimated; nil where it is not known.
    var shareUnmoved: (good: Double, fair: Double)?
    /// Priors that the views contradict, in words.
    var contradictedPriors: [String] = []
    /// Patterns in the residuals that corner noise does not have, in words.
    var residualWaves: [String] = []
    /// The least determined combinations of parameters, in words.
    var weaknesses: [String]
    /// The largest ratio of view-to-view to noise deviation; nil where not available.
    var deviationRatio: Double?
    /// The board's bend as a share of its length, where it is more than boards have; nil elsewhere.
    var implausibleBend: Double?
    /// Whether the board's bend was estimated, so that it explains nothing that is left.
    var knowsBend = false
    /// Another lens model that suits these views; it changes no grade, as it says nothing against this one's
    /// figures.
    var lensHint: LensHint?
  }
}
