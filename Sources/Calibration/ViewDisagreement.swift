import CalibrationSolver
import CalibrationStore
import CameraModel

/// What views say of themselves that contradicts the others: focus moved, rolling shutter, motion.
struct ViewDisagreement {
  /// Single views that contradict the rest, as indices into `LensFitting.views`, with the reason.
  var strays: [Int: String] = [:]
  /// What holds for the set as a whole and makes the result poor, the cure first.
  var verdicts: [String] = []
  /// What may hold for it, and is a reason against *good*, the cure first.
  var doubts: [String] = []

  /// More stray views than this share are not strays: then it can't be known which ones are right.
  static let largestStrayShare = 0.2

  /// Below so large a sigma, pixels an axis, rounding is left, which tells views apart for no reason.
  static let rounding = 1e-6

  init(_ fit: LensFit, names: [String]) {
    guard fit.solution.sigma > Self.rounding else { return }
    let consistency = ViewConsistency(fit.selection.problem, solution: fit.solution)
    let scores = Dictionary(
      consistency.scores.map { ($0.view, $0) }, uniquingKeysWith: { first, _ in first })
    var reasons: [Int: String] = [:]
    for view in consistency.distortedByMotion {
      reasons[fit.members[view]] =
        "its proportions differ from the other views' (rolling shutter, or the board or camera moved)"
    }
    for view in consistency.movedFocus {
      let percent = fixed(100 * (scores[view]?.focalFactor ?? 0), 1)
      reasons[fit.members[view]] =
        "its focal length differs from the other views' by \(percent) % (focus or zoom moved)"
    }
    if let cameras = TwoCameras(fit.solution) {
      // That the focal length varies, or views contradict others, only follows from it.
      verdicts.append(Self.sentence(cameras, fit, names: names))
      return
    }
    if consistency.focusVaries {
      verdicts.append(
        "Switch autofocus off and keep zoom fixed: the focal length varies from view to view by "
          + "\(fixed(100 * consistency.focalSpread, 1)) %.")
    } else if consistency.focusMayVary {
      doubts.append(
        "Make sure that autofocus is off and zoom fixed: each view on its own would choose a focal length "
          + "about \(fixed(100 * consistency.focalSpread, 2)) % from the others', more than their other "
          + "differences explain.")
    }
    if Double(reasons.count) <= Self.largestStrayShare * Double(fit.members.count) {
      strays = reasons
    } else {
      let list = reasons.keys.sorted().map { names[$0] }.joined(separator: ", ")
      verdicts.append(
        "Take the photographs again with focus and zoom fixed and everything at rest: "
          + "\(reasons.count) of \(fit.members.count) views contradict the others (\(list)).")
    }
  }

  /// Which views go together, and what tells both groups apart.
  private static func sentence(_ cameras: TwoCameras, _ fit: LensFit, names: [String]) -> String {
    let shorter = shortened(names)
    let first = cameras.groups[0].map { shorter[fit.members[$0]] }
    let shown = first.prefix(40).joined(separator: ", ")
    let more = first.count > 40 ? " and \(first.count - 40) more" : ""
    let common = fit.solution.camera.intrinsics
    let figures = cameras.differences.map { difference in
      "focal length \(fixed((common.fx + common.fy + (difference["fx"] ?? 0) + (difference["fy"] ?? 0)) / 2, 0)), "
        + "centre (\(fixed(common.cx + (difference["cx"] ?? 0), 0)), "
        + "\(fixed(common.cy + (difference["cy"] ?? 0), 0)))"
    }
    return
      "Calibrate them apart: these look like photographs of two cameras, or of two settings of focus or "
      + "zoom. \(shown)\(more) go together (about \(figures[0])), and so do the other "
      + "\(cameras.groups[1].count) views (about \(figures[1]))."
  }

  /// File names without their folders, where that still tells them apart.
  private static func shortened(_ names: [String]) -> [String] {
    let last = names.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return Set(last).count == Set(names).count ? last : names
  }
}
