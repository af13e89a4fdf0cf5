import CalibrationSolver

/// The fit of a lens model without the views that contradict the others.
struct SettledFit {
  /// The fit.
  var fit: LensFit
  /// What is to be said of the views that are left.
  var disagreement: ViewDisagreement

  /// - Parameters:
  ///   - sample: The views that the start rests on, indices into `fitting.views`.
  ///   - isCancelled: Whether to stop: asked between two pieces of work.
  /// - Throws: `CalibrationError` where the views determine no camera.
  init(
    _ fitting: LensFitting, sample: [Int], isCancelled: () -> Bool
  ) throws(CalibrationError) {
    let stages = fitting.stages
    let names = fitting.views.indices.map(fitting.name)
    fit = try stages.measure(.solve) { () throws(CalibrationError) in
      try fitting.fit(sample: sample)
    }
    try CalibrationError.check(isCancelled)
    disagreement = stages.measure(.evaluate) { [fit] in ViewDisagreement(fit, names: names) }
    // Twice at the most: each time the yardstick is the spread of the views that are left.
    for _ in 0..<2 where !disagreement.strays.isEmpty && !fitting.keepsOutliers {
      fit = try stages.measure(.solve) { [fit, disagreement] () throws(CalibrationError) in
        try fitting.fit(fit, without: disagreement.strays)
      }
      disagreement = stages.measure(.evaluate) { [fit] in ViewDisagreement(fit, names: names) }
    }
    disagreement = disagreement.under(fitting.constraints)
    try CalibrationError.check(isCancelled)
  }
}
