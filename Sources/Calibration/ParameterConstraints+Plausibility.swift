import CalibrationSolver
import CalibrationStore
package import CameraModel
import Glibc

/// What no camera has is refused: least squares would take it along, and the rest would be wrong in its stead.
extension ParameterConstraints {
  /// The focal lengths that cameras have, image diagonals: a fisheye whose image circle fills a small part of
  /// the image lies near 0.1, telescopes below 500.
  static let focalLengths = 0.05...1000.0
  /// How far from the middle of the image an axis may lie, image diagonals: that of a small part of a large
  /// image lies far outside of it.
  static let farthestCentre = 20.0
  /// The part of the image, a share of half its diagonal, in which every lens shows a picture.
  private static let middle = 0.2
  /// How much nearer to the axis, or farther from it, than without distortion a lens shows something there.
  ///
  /// At a fifth of the way to the corner, fisheye lenses taken for pinholes are off by a tenth.
  private static let distortions = 0.25...4.0
  /// The least deviation of a prior, in any parameter's unit: below it rounding is all that is weighed.
  static let leastDeviation = 1e-9

  /// Refuses what no camera with images of this size can have.
  ///
  /// - Parameter lensModel: nil where it is yet to be chosen.
  /// - Throws: `CalibrationError`, `implausible`.
  package func check(
    _ resolution: Resolution, _ lensModel: LensModel?
  ) throws(CalibrationError) {
    let diagonal = resolution.diagonal
    for given in given {
      switch given.name {
      case "fx", "fy":
        let lengths = Self.focalLengths
        guard (diagonal * lengths.lowerBound...diagonal * lengths.upperBound).contains(given.value)
        else {
          let least = decimal(diagonal * lengths.lowerBound, 0)
          let most = decimal(diagonal * lengths.upperBound, 0)
          throw given.refusal(
            "is no focal length of a camera with \(resolution) images: those lie between \(least) and "
              + "\(most) pixels, \(lengths.lowerBound) to \(decimal(lengths.upperBound, 0)) image diagonals. "
              + "One in millimetres, divided by the sensor's width and multiplied by \(resolution.width), "
              + "is in pixels")
        }
      case "cx", "cy":
        let size = given.name == "cx" ? resolution.width : resolution.height
        let middle = Double(size - 1) / 2
        let reach = Self.farthestCentre * diagonal
        guard abs(given.value - middle) <= reach else {
          let (least, most) = (decimal(middle - reach, 0), decimal(middle + reach, 0))
          throw given.refusal(
            "is no centre of \(resolution) images: it lies between \(least) and \(most) pixels, as a rule "
              + "near the middle, \(decimal(middle, 1))")
        }
      default: break
      }
      if let deviation = given.deviation, deviation < Self.leastDeviation {
        throw given.refusal(
          "with a deviation of \(deviation) is as good as fixed: say --fix "
            + "\(given.name)=\(given.value), or give a deviation of at least \(Self.leastDeviation)"
        )
      }
    }
    // With the longest focal length distortion counts for least.
    let longest = Self.focalLengths.upperBound * diagonal
    let focal = { (name: String) -> Double in
      self.value(of: name, resolution: resolution) ?? self.priors[name]?.mean ?? longest
    }
    try checkCoefficients(
      CameraParameters(
        resolution: resolution, lensModel: lensModel ?? .pinhole,
        intrinsics: Intrinsics(
          fx: focal("fx"), fy: focal("fy"), cx: resolution.middle.x, cy: resolution.middle.y),
        distortion: []))
  }

  /// Refuses coefficients with which a lens of these focal lengths shows nothing in the middle of the image.
  func checkCoefficients(_ camera: CameraParameters) throws(CalibrationError) {
    let names = camera.lensModel.coefficientNames
    let given = given.filter { names.contains($0.name) && $0.value != 0 }
    guard let first = given.first else { return }
    var distortion = [Double](repeating: 0, count: names.count)
    for one in given {
      if let index = names.firstIndex(of: one.name) { distortion[index] = one.value }
    }
    if camera.lensModel == .spline { distortion[names.count - 1] = .pi }
    let lens = CameraParameters(
      resolution: camera.resolution, lensModel: camera.lensModel, intrinsics: camera.intrinsics,
      distortion: distortion)
    guard !lens.isUsable(within: Self.middle, distortions: Self.distortions) else { return }
    let list = VerdictRules.list(given.map { "\($0.name)=\($0.value)" })
    let what = "\(list) \(given.count == 1 ? "is" : "are") no distortion of a "
    let lensText = "\(camera.lensModel.rawValue) lens with \(camera.resolution) images: already at "
    let place =
      "\(decimal(100 * Self.middle, 0)) % of the way from the centre to the corner it would "
    throw CalibrationError(
      .implausible(option: first.option),
      "\(first.option): " + what + lensText + place
        + "show things more than four times too near or too far, or none at all. Coefficients are for "
        + "lengths in focal lengths, not in pixels; k1 of most lenses lies between -1 and 1")
  }

  /// A value that was given.
  private struct Given {
    var name: String
    var value: Double
    var deviation: Double?
    var option: String

    func refusal(_ what: String) -> CalibrationError {
      CalibrationError(.implausible(option: option), "\(option): \(name)=\(value) \(what)")
    }
  }

  /// What was given, in a fixed order.
  private var given: [Given] {
    let fixes = fixed.compactMap { name, fixed in
      fixed.value.map { Given(name: name, value: $0, option: fixed.option) }
    }
    let priors = priors.map { name, prior in
      Given(name: name, value: prior.mean, deviation: prior.deviation, option: "--prior")
    }
    return (fixes + priors).sorted { ($0.option, $0.name) < ($1.option, $1.name) }
  }
}

extension CameraParameters {
  /// Whether a part of the image around the centre shows what lies there without distortion, within factors,
  /// and moves outwards as that does.
  fileprivate func isUsable(within share: Double, distortions: ClosedRange<Double>) -> Bool {
    var lens = self
    lens.intrinsics.cx = 0
    lens.intrinsics.cy = 0
    let radius = share * resolution.diagonal / 2
    for direction in 0..<8 {
      let angle = Double(direction) * .pi / 4
      let way = SIMD2(cos(angle), sin(angle))
      // At most half a radian: farther out the widest lenses are no pinholes.
      let reach = min(
        0.5, radius * SIMD2(way.x / intrinsics.fx, way.y / intrinsics.fy).length)
      var before = 0.0
      for step in 1...8 {
        let tangent = reach * Double(step) / 8
        let ray = lensModel.isAngular ? SIMD2(sin(tangent), cos(tangent)) : SIMD2(tangent, 1)
        let direct = SIMD2(way.x / intrinsics.fx, way.y / intrinsics.fy)
        let unit = direct / direct.length
        guard let pixel = lens.project(SIMD3(ray.x * unit.x, ray.x * unit.y, ray.y)) else {
          return false
        }
        let along = (pixel * way).sum()
        let plain = tangent / direct.length
        guard along > before, distortions.contains(pixel.length / plain) else { return false }
        before = along
      }
    }
    return true
  }
}

/// In a type that has a `fixed` of its own.
private func decimal(_ value: Double, _ decimals: Int) -> String { fixed(value, decimals) }

extension SIMD2<Double> {
  fileprivate var length: Double { (self * self).sum().squareRoot() }
}
