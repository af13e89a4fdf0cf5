import CalibrationSolver
import CameraModel

extension ParameterConstraints {
  /// Where a parameter stays; nil where it is estimated.
  func value(of name: String, resolution: Resolution) -> Double? {
    guard let fixed = fixed[name] else { return nil }
    return switch name {
    case "cx": fixed.value ?? resolution.middle.x
    case "cy": fixed.value ?? resolution.middle.y
    default: fixed.value ?? 0
    }
  }

  /// The camera with what is fixed in its place, one focal length where pixels are square, and 0 for what
  /// is not kept.
  func applied(to camera: CameraParameters, keeping kept: [Bool]? = nil) -> CameraParameters {
    var vector = camera.parameterVector
    for (index, name) in camera.lensModel.parameterNames.enumerated() {
      if let value = value(of: name, resolution: camera.resolution) {
        vector[index] = value
      } else if let kept, !kept[index], camera.lensModel.isEstimated[index] {
        vector[index] = 0
      }
    }
    if hasSquarePixels {
      let mean = (vector[0] + vector[1]) / 2
      (vector[0], vector[1]) = (mean, mean)
    }
    return CameraParameters(
      resolution: camera.resolution, lensModel: camera.lensModel, parameterVector: vector)
  }

  /// The flags of what is estimated: what `wanted` says and what has a prior, without what is fixed.
  func flags(_ lensModel: LensModel, wanted: (Int) -> Bool) -> [Bool] {
    let isEstimated = lensModel.isEstimated
    return lensModel.parameterNames.enumerated().map { index, name in
      isEstimated[index] && fixed[name] == nil && (wanted(index) || priors[name] != nil)
    }
  }

  /// The priors by index, as the solver has them.
  func priors(_ lensModel: LensModel) -> [Int: ParameterPrior] {
    var all: [Int: ParameterPrior] = [:]
    for (index, name) in lensModel.parameterNames.enumerated() {
      all[index] = priors[name].map { ParameterPrior(mean: $0.mean, deviation: $0.deviation) }
    }
    return all
  }

  /// Why parameters were not estimated, or not from the views alone.
  func reasons(_ camera: CameraParameters) -> [String: String] {
    let names = Set(camera.lensModel.parameterNames)
    var reasons: [String: String] = [:]
    for (name, fixed) in fixed where names.contains(name) {
      let value = value(of: name, resolution: camera.resolution) ?? 0
      reasons[name] = "held at \(Self.number(value)): \(fixed.option)"
    }
    for (name, prior) in priors where names.contains(name) {
      reasons[name] =
        "held by a prior at \(Self.number(prior.mean)) ± \(Self.number(prior.deviation)): --prior"
    }
    if hasSquarePixels { reasons["fy"] = "the same number as fx: --square-pixels" }
    return reasons
  }

  /// Whether some part of the first camera is not to stay as it was found.
  var movesStart: Bool { hasSquarePixels || !fixed.isEmpty }

  /// A number without a needless fraction.
  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
