import CameraModel
import Glibc

/// The order in which coefficients are added, see `CoefficientSelection`.
struct CoefficientLadder {
  /// The coefficients of each step after the smallest set.
  var steps: [[String]]

  /// The steps of a lens model, without coefficients that are not allowed.
  init(_ model: LensModel, allowed: [Bool]) {
    let all =
      switch model {
      case .pinhole: [["k3"]]
      case .rational: [["k3"], ["k4"], ["k5", "k6"]]
      case .fisheye: [["k3"], ["k4"]]
      case .spline: [["k3"], ["k4"], ["s1"], ["s2", "s3"]]
      }
    let names = Set(zip(model.parameterNames, allowed).compactMap { $1 ? $0 : nil })
    steps = all.map { $0.filter(names.contains) }.filter { !$0.isEmpty }
  }

  /// The half field below which k3 and k4 of Kannala–Brandt have no support: at 50° θ⁷ and θ⁹ are
  /// almost multiples of θ⁵ over the field.
  static let narrowHalfField = 50 * Double.pi / 180

  /// k3 and k4 held at 0 ± 0.1 where a fisheye model meets a narrow lens; nil elsewhere.
  static func narrowFisheyePrior(
    _ problem: SolverProblem
  ) -> (priors: [Int: ParameterPrior], reasons: [String: String])? {
    let camera = problem.camera
    guard camera.lensModel == .fisheye, let half = camera.halfField, half < narrowHalfField else {
      return nil
    }
    var priors = problem.priors
    var reasons: [String: String] = [:]
    for (index, name) in camera.lensModel.parameterNames.enumerated()
    where ["k3", "k4"].contains(name) && problem.free[index] && priors[index] == nil {
      priors[index] = ParameterPrior(mean: 0, deviation: 0.1)
      reasons[name] = "held by a prior at 0 ± 0.1: the half field is below 50°"
    }
    return reasons.isEmpty ? nil : (priors, reasons)
  }
}

extension CameraParameters {
  /// The largest angle between the optical axis and what an image corner sees, radians; nil where no
  /// corner can be inverted.
  package var halfField: Double? {
    imageCorners.compactMap { angle(of: $0) }.max()
  }

  /// The angle between the optical axis and what a pixel sees, radians; nil where it can't be inverted.
  func angle(of pixel: SIMD2<Double>) -> Double? {
    unproject(pixel).map { acos(max(-1, min(1, $0.z))) }
  }
}
