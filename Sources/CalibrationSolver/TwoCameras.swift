import CameraModel

/// Whether a set of views is two sets: photographs of two cameras, or of two settings of focus or zoom.
///
/// The test of single views (`ViewConsistency`) looks for few among many. Here the views are divided so
/// that two cameras explain them best, from the linear picture at the common minimum: each view says
/// H_v and g_v of the shared parameters, a group's own camera lies at d = −(Σ H_v)⁻¹·Σ g_v from the
/// common one, and each view goes to the group whose camera suits it better, again and again
/// (Lloyd's algorithm in the metric of each view). That any division lowers the residuals is allowed
/// for: by what the views within the groups still gain from cameras of their own.
package struct TwoCameras: Sendable {
  /// The views of each group, as indices into the problem's views, the smaller group first.
  package var groups: [[Int]]
  /// The parameters of each group's own camera minus the common ones, by name; in the linear picture.
  package var differences: [[String: Double]]
  /// By how much the division lowers Σr², against what each view of the groups still gains by itself,
  /// both by degree of freedom.
  package var gainRatio: Double
  /// The largest difference of fx, fy, cx and cy between the groups in its deviations, those of the
  /// groups' own jackknives.
  package var contrast: Double

  /// A division counts from this ratio on.
  ///
  /// Of 12 real sets of one camera none has more than 13.6, of 400 synthetic ones in which one or two views
  /// moved none more than 18.6 where the contrast counts; both cameras of a stereo pair in one set have
  /// 38 and 90, a change of focal length by 4 % for half the views 13–59.
  package static let leastGainRatio = 20.0
  /// A division counts where a parameter differs by so many deviations: the best division of any set
  /// finds 2 to 5.6.
  package static let leastContrast = 6.0
  /// A group needs so many views to say where its camera is.
  package static let fewestViews = 5
  /// A group of so few beside at least twice as many counts, too, where the division gains far more.
  ///
  /// Three or four views say little of their own spread, so that chance makes the contrast large now and
  /// then: of 24 fits to real sets of one camera the best such division has up to 14.8 times (and a contrast
  /// of 2.4), of 400 synthetic sets in which one or two views moved up to 37. Three views of a camera that
  /// differs by 6 % and 22 px have 48–150; what is less clear, as three of a like stereo camera among nine
  /// (23–36), stays untold.
  package static let fewestClearViews = 3
  private static let clear = (gainRatio: 45.0, contrast: 5.0)
  /// A division counts where a focal length differs by this share, or the centre by this share of the
  /// image's diagonal: cameras nearer to one another than this need not be told apart.
  package static let leastDifference = 0.003

  /// Limits for few views, widened for `count` views by `size` parameters.
  ///
  /// The better half of a normal scatter always differs from the other half: the cut explains 2/π of the
  /// variance along its direction, which is 2/π·n/size in units of a degree of freedom, and parts the means
  /// by up to 1.3·√n of their deviations, by less where the direction is no single parameter's. Of perfect
  /// sets of 300, 500 and 2000 views, ten parameters, the best division has 25, 41 and 146 times, with a
  /// contrast of 2.4, 13 and 7.9.
  private static func limits(
    _ few: (gainRatio: Double, contrast: Double), _ count: Int, size: Int
  ) -> (gainRatio: Double, contrast: Double) {
    let n = Double(count)
    return (few.gainRatio + n / Double(size), few.contrast * max(1, n / 70).squareRoot())
  }

  /// The division of the views, where there is one that counts.
  package init?(_ solution: Solution) {
    let views = ViewInformation(solution)
    guard views.size > 0 else { return nil }
    if let usual = TwoCameras(
      solution, views, least: Self.fewestViews,
      limits: (Self.leastGainRatio, Self.leastContrast))
    {
      self = usual
      return
    }
    guard
      let clear = TwoCameras(solution, views, least: Self.fewestClearViews, limits: Self.clear),
      clear.groups[0].count < Self.fewestViews,
      clear.groups[1].count >= 2 * clear.groups[0].count
    else { return nil }
    self = clear
  }

  private init?(
    _ solution: Solution, _ views: ViewInformation, least: Int,
    limits: (gainRatio: Double, contrast: Double)
  ) {
    guard views.count >= 2 * least else { return nil }
    var best: ViewDivision?
    for order in views.orders {
      for share in [0.5, 0.33, 0.67, 0.2, 0.8] {
        let first = Int((share * Double(views.count)).rounded())
        guard
          let division = ViewDivision(views, start: Set(order.prefix(first)), least: least)
        else { continue }
        if division.gain > best?.gain ?? 0 { best = division }
      }
    }
    guard let best, let rest = best.remainder(views), rest > 0,
      let contrast = best.contrast(views, solution.slotNames)
    else { return nil }
    gainRatio = best.gain * Double(views.count - 2) / rest
    self.contrast = contrast
    let limits = Self.limits(limits, views.count, size: views.size)
    guard gainRatio > limits.gainRatio, contrast > limits.contrast,
      best.difference(views, solution.camera) > Self.leastDifference
    else { return nil }
    let active = solution.linearization.activeViews
    let parts = zip(best.groups, best.steps).sorted {
      ($0.0.count, $0.0.first ?? 0) < ($1.0.count, $1.0.first ?? 0)
    }
    groups = parts.map { $0.0.map { active[$0] } }
    differences = parts.map { part in
      // Of parameters that are one each has its own name.
      Dictionary(
        zip(solution.cameraSlots, part.1).flatMap { slot, step in
          slot.map { (solution.camera.lensModel.parameterNames[$0], step) }
        }, uniquingKeysWith: { first, _ in first })
    }
  }
}
