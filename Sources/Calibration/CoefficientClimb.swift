import CalibrationSolver
import CameraModel

/// The first robust fit with the coefficients that were asked for, or as many of them as the views
/// bear.
///
/// Many coefficients from a start with few can run into a pole of the rational model, or into a valley
/// that the views do not bound. Then the fit begins with the smallest set and takes the others up one
/// after the other, each from the last fit; what can't be had is held, and said.
struct CoefficientClimb {
  /// The fit.
  var robust: RobustFit
  /// The coefficients that were asked for and are held, with the reason.
  var held: [String: String] = [:]

  /// - Throws: `CalibrationError` where not even the smallest set can be fitted.
  init(
    _ fitting: LensFitting, _ problem: SolverProblem, members: [Int], dropped: [Int: String]
  ) throws(CalibrationError) {
    let failure: CalibrationError?
    do throws(CalibrationError) {
      var whole = try RobustFit(fitting, problem, members: members, dropped: dropped)
      guard (fitting.coefficientCount ?? 0) > fitting.smallestCount, !whole.isSound(for: fitting)
      else {
        robust = whole
        return
      }
      failure = nil
    } catch {
      guard (fitting.coefficientCount ?? 0) > fitting.smallestCount else { throw error }
      failure = error
    }
    let wanted = fitting.coefficientCount ?? 0
    var start = problem
    start.free = fitting.flags(coefficientCount: fitting.smallestCount)
    start.camera = fitting.constraints.applied(to: problem.camera, keeping: start.free)
    do throws(CalibrationError) {
      robust = try RobustFit(fitting, start, members: members, dropped: dropped)
    } catch {
      throw failure ?? error
    }
    for count in fitting.smallestCount + 1...wanted {
      var next = robust.restart
      next.free = fitting.flags(coefficientCount: count)
      guard
        var more = try? RobustFit(
          fitting, next, members: robust.members, dropped: robust.dropped),
        more.isSound(for: fitting),
        fitting.lensModel == .fisheye || FoldOver(more.solution.camera) == nil
      else { continue }
      robust = more
    }
    for (index, name) in fitting.lensModel.parameterNames.enumerated()
    where problem.free[index] && !robust.problem.free[index] {
      held[name] = "held at 0: with it these views determine no camera"
    }
  }
}

extension RobustFit {
  /// Whether the views say something of every free parameter, and every view can be left out and seen
  /// again: a pole near the points ends that.
  fileprivate mutating func isSound(for fitting: LensFitting) -> Bool {
    guard (try? ParameterCovariance(solution)) != nil else { return false }
    evaluation = try? fitting.evaluated(self, held: [:])
    return evaluation != nil
  }
}
