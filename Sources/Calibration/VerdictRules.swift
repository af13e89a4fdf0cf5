import CalibrationStore

/// The limits behind good, usable and poor, and the words that go with them.
///
/// A small RMS is no merit: it says how well the model fits the corners that were seen, and is small
/// just where a few like views leave the camera undetermined. A large one is a fault all the same.
enum VerdictRules {
  /// *good*: at least this share of the image is known to 0.1 % of the diagonal, which is 0.8 px at
  /// 640x480: what the ordinary uses (pose, augmented reality, stereo) ask for.
  static let goodShare = 0.85
  /// *good*: views that took no part fit no worse than by this factor.
  static let goodHeldOutRatio = 1.3
  /// *poor*: less than this share of the image is known to 0.4 % of the diagonal.
  static let poorShare = 0.5
  /// *poor*: views that took no part fit worse than by this factor: the model does not carry over.
  static let poorHeldOutRatio = 2.0
  /// *poor*: with fewer views the view-to-view deviation cannot be had, and one bad view decides.
  static let fewestViews = 6
  /// A board never tilted by this many degrees says little of focal length against distance.
  static let leastTilt = 20.0
  /// *good*: corners lie off where the camera would see them by no more than this, pixels and share of
  /// the diagonal, whichever is more.
  ///
  /// Corners are found to 0.02–0.2 px; what is above that is error of
  /// the model or the board, which no number of views takes away. Of 24 real sets those with a sound
  /// result have up to 0.63 px.
  static let (goodSigma, goodSigmaShare) = (0.75, 0.0003)
  /// *poor*: the same.
  ///
  /// At 0.05 % of the diagonal an axis the typical corner is off by as much as
  /// "good" allows at all, and wrong by a smooth function of its place: the lens model is not this
  /// lens, or views are wrong.
  static let (poorSigma, poorSigmaShare) = (1.25, 0.0005)
  /// *poor*, together with coefficients that had to be held because they fold over: views disagree by
  /// so many times what corner noise explains.
  ///
  /// Then the model that was left is known to be too
  /// simple, and the disagreement shows that this matters.
  static let strongDeviationRatio = 3.5
  /// Said in words: views disagree by this many times what corner noise explains.
  static let notableDeviationRatio = 2.0
  /// No cause for alarm: on sound sets of photographs the ratio is from 2 to 7, as neighbouring corners err
  /// together and the formula takes them for independent.
  static let usualDeviationRatio = 7.0
  /// Views that disagree more than this may all be wrong in the same way, too, which no view that is left
  /// out shows: good is only what is so with a larger uncertainty.
  ///
  /// Sound sets of photographs that are good have ratios of 2.6 to 5.5, simulated ones with a focus that
  /// moved once by 1 % of 3.3 to 8.3 and errors of 1.5 to 4.4 times the uncertainty.
  static let (doubtfulDeviationRatio, doubtfulFactor) = (4.5, 1.5)
  /// The factor beyond the usual ratio.
  static let unusualFactor = 3.0
  /// *poor*: 10 % of the image is off by more than this share of the diagonal.
  static let poorP90Share = 0.015

  /// Judges a calibration.
  static func verdict(_ e: Evidence) -> IntrinsicsRecord.Verdict {
    var poor: [String] = []
    var usable: [String] = []
    var remarks: [String] = []
    if e.viewCount < fewestViews {
      poor.append(
        "Take more photographs, 12 or more: only \(e.viewCount) views were used, and below "
          + "\(fewestViews) nothing shows whether they agree.")
    }
    if let foldOver = e.foldOver {
      poor.append("Use fewer distortion coefficients or cover the whole image: \(foldOver).")
    }
    poor += e.disagreements
    usable += e.doubts + e.contradictedPriors
    judgeSigma(e, &poor, &usable)
    if let share = e.implausibleBend {
      usable.append(
        "Check that the board is flat, that no view is wrong and that the lens model suits the lens: the "
          + "board would be bent by \(fixed(100 * share, 2)) % of its length, which boards on something stiff are "
          + "not, and what else is wrong can look like a bend.")
    }
    judgeUncertainty(e, &poor, &usable)
    judgeDisagreement(e, &usable)
    if let unmoved = e.shareUnmoved, unmoved.fair < poorShare {
      poor.append(
        "Let the views decide: estimating what is held against them moves "
          + "\(percent(1 - unmoved.fair)) of the image by more than 0.4 % of its diagonal.")
    }
    judgeHeldCoefficients(e, &poor, &usable)
    if let heldOut = e.error.heldOutSigma, e.error.sigma > ViewDisagreement.rounding {
      let ratio = heldOut / e.error.sigma
      let text =
        "Take more views that differ: views that took no part fit \(fixed(ratio, 2)) times worse "
        + "than those that did."
      if ratio > poorHeldOutRatio {
        poor.append(text)
      } else if ratio > goodHeldOutRatio {
        usable.append(text)
      }
    }
    remarks += e.residualWaves
    if let limit = e.imageLimit { remarks.append(limit) }
    if let ratio = e.deviationRatio, ratio > notableDeviationRatio,
      e.error.sigma > ViewDisagreement.rounding
    {
      let fact =
        "Views disagree by up to \(fixed(ratio, 1)) times what independent corner noise explains"
      remarks.append(
        ratio <= usualDeviationRatio
          ? "\(fact). 2 to 7 times is usual, as neighbouring corners err together; the deviations allow "
            + "for it, and nothing need be done about it."
          : "\(fact), where 2 to 7 times is usual: the board may be \(e.knowsBend ? "uneven" : "bent"), "
            + "focus or camera may have moved, or the lens model is too simple. The deviations allow for "
            + "it.")
    }
    if let hint = e.lensHint, !hint.isBetter { remarks.insert(hint.text, at: 0) }
    let level: IntrinsicsRecord.Verdict.Level =
      !poor.isEmpty
      ? .poor : !usable.isEmpty || !e.contradictedValues.isEmpty ? .usable : .good
    // A wrong value, or a wrong lens, is the cause of the rest, and comes first.
    let lens = e.lensHint.map { $0.isBetter ? [$0.text] : [] } ?? []
    var reasons = e.contradictedValues + lens + poor + usable
    if level != .good { reasons += e.weaknesses }
    return IntrinsicsRecord.Verdict(level: level, reasons: reasons + remarks)
  }

  /// Where views disagree so much that the deviations may be too small themselves.
  private static func judgeDisagreement(_ e: Evidence, _ usable: inout [String]) {
    guard usable.isEmpty, let ratio = e.deviationRatio, ratio > doubtfulDeviationRatio,
      e.error.sigma > ViewDisagreement.rounding, let sigma = e.uncertainty?.sigma, !sigma.isEmpty
    else { return }
    let factor = ratio > usualDeviationRatio ? unusualFactor : doubtfulFactor
    let limit = 0.001 * e.diagonal / factor
    let share = Double(sigma.count { $0.map { $0 <= limit } ?? false }) / Double(sigma.count)
    guard share < goodShare else { return }
    usable.append(
      "Look for \(e.knowsBend ? "an uneven board" : "a board that is not flat"), moved focus, or a lens "
        + "model that suits the lens better (--lens), or take more views: they disagree by up to "
        + "\(fixed(ratio, 1)) times what corner noise explains, and with \(fixed(factor, 1)) times the "
        + "uncertainty only \(percent(share)) of the image would be known to 0.1 % of its diagonal."
    )
  }

  private static func judgeSigma(_ e: Evidence, _ poor: inout [String], _ usable: inout [String]) {
    let text =
      "Look for wrong views, a board that is not flat, moved focus, or a lens model that suits the lens "
      + "better (--lens): corners lie \(fixed(e.error.sigma, 1)) px an axis off where this camera would "
      + "see them, and they are found to 0.2 px or better."
    if e.error.sigma > max(poorSigma, poorSigmaShare * e.diagonal) {
      poor.append(text)
    } else if e.error.sigma > max(goodSigma, goodSigmaShare * e.diagonal) {
      usable.append(text)
    }
  }

  private static func judgeHeldCoefficients(
    _ e: Evidence, _ poor: inout [String], _ usable: inout [String]
  ) {
    guard !e.foldOverCoefficients.isEmpty else { return }
    let names = list(e.foldOverCoefficients)
    let (are, them) = e.foldOverCoefficients.count == 1 ? ("is", "it") : ("are", "them")
    let text =
      "Cover the whole image with the board: \(names) \(are) held at 0, because with what these views "
      + "say of \(them) the distortion would fold over inside the image"
    if let ratio = e.deviationRatio, ratio > strongDeviationRatio {
      poor.append(
        "\(text), and without, views disagree by \(fixed(ratio, 1)) times what corner noise explains."
      )
    } else {
      usable.append("\(text).")
    }
  }

  private static func judgeUncertainty(
    _ e: Evidence, _ poor: inout [String], _ usable: inout [String]
  ) {
    guard let uncertainty = e.uncertainty else {
      poor.append("Take more views: the projection uncertainty cannot be computed from these.")
      return
    }
    let good = uncertainty.share["0.1"] ?? 0
    let fair = uncertainty.share["0.4"] ?? 0
    guard good < goodShare else { return }
    let cure = cure(e)
    if let p90 = uncertainty.p90, p90 > poorP90Share * e.diagonal, fair >= poorShare {
      poor.append(
        "\(cure): a tenth of the image may be off by more than \(fixed(p90, 0)) px, "
          + "\(fixed(100 * p90 / e.diagonal, 1)) % of its diagonal.")
    } else if fair < poorShare {
      poor.append(
        "\(cure): only \(percent(fair)) of the image is known to 0.4 % of its diagonal.")
    } else {
      usable.append(
        "\(cure): \(percent(good)) of the image is known to 0.1 % of its diagonal, "
          + "\(percent(goodShare)) would be good.")
    }
  }

  /// What would lower the uncertainty most, as an instruction.
  private static func cure(_ e: Evidence) -> String {
    var parts: [String] = []
    if e.largestTilt < leastTilt {
      parts.append(
        "Tilt the board, up to 45° in every direction (it was never tilted by \(fixed(leastTilt, 0))°)"
      )
    }
    let empty = CoverageMap.emptyRegions(e.coverage)
    if !empty.isEmpty {
      parts.append(
        "\(parts.isEmpty ? "Show" : "show") the board at the \(list(empty)), which saw none")
    }
    return parts.isEmpty ? "Take more views, near and tilted, over the whole image" : list(parts)
  }

  /// "a", "a and b", "a, b and c".
  static func list(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Rounded down, as in the report: 85 % are 85 %.
  private static func percent(_ share: Double) -> String {
    "\(fixed((share * 100).rounded(.down), 0)) %"
  }
}
