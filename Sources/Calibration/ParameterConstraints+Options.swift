package import CameraModel

extension ParameterConstraints {
  /// What several options amount to for a lens.
  ///
  /// - Parameters:
  ///   - squarePixels: Whether fx and fy are one number.
  ///   - zeroTangential: Whether p1 and p2 are 0.
  ///   - fixes: Parameters that stay at a value, by name; `centre` (or `center`) is cx and cy.
  ///   - priors: Parameters that are about a value.
  ///   - lensModel: The lens model; nil where it is yet to be chosen: then coefficients, which mean
  ///     something else in each, can't be named, but those of tangential distortion.
  ///   - coefficientCount: How many coefficients are estimated; nil: it is not said.
  package init(
    squarePixels: Bool, zeroTangential: Bool, fixes: [(name: String, value: Double?)],
    priors: [(name: String, prior: Prior)], lensModel: LensModel?, coefficientCount: Int?
  ) throws(ConstraintError) {
    self.init()
    if zeroTangential {
      guard Self.names(lensModel).contains("p1") else {
        throw ConstraintError(
          option: "--zero-tangential",
          description: "\(Self.text(lensModel)) has no tangential coefficients: leave it out")
      }
      for name in ["p1", "p2"] { fixed[name] = Fixed(0, option: "--zero-tangential") }
    }
    for (name, value) in fixes { try fix(name, at: value, lensModel) }
    for (name, prior) in priors {
      try check(name, option: "--prior", lensModel, aliases: [])
      guard prior.mean > 0 || (name != "fx" && name != "fy") else {
        throw ConstraintError(
          option: "--prior",
          description: "\(name) needs a mean above 0, for example \(name)=1400:20")
      }
      if let other = self.priors[name], other != prior {
        throw ConstraintError(
          option: "--prior",
          description: "\(name) is said to be both \(other.text) and \(prior.text)")
      }
      if let fixed = fixed[name] {
        throw ConstraintError(
          option: "--prior",
          description: "\(name) is fixed by \(fixed.option): nothing is left for a prior to say")
      }
      self.priors[name] = prior
    }
    if squarePixels { try sharePixels() }
    if let lensModel { try check(coefficientCount: coefficientCount, lensModel) }
    guard lensModel == nil || Self.names(lensModel).contains(where: { fixed[$0] == nil }) else {
      throw ConstraintError(
        option: "--fix", description: "every parameter is fixed: nothing is left to estimate")
    }
  }

  private mutating func fix(
    _ name: String, at value: Double?, _ lensModel: LensModel?
  ) throws(ConstraintError) {
    if name == "centre" || name == "center" {
      guard value == nil else {
        throw ConstraintError(
          option: "--fix",
          description: "\(name) takes no value: it is the middle of the image; "
            + "fix cx and cy apart where it is another point")
      }
      try fix("cx", at: nil, lensModel)
      try fix("cy", at: nil, lensModel)
      return
    }
    try check(name, option: "--fix", lensModel, aliases: ["centre"])
    if name == "fx" || name == "fy" {
      guard let value, value > 0 else {
        throw ConstraintError(
          option: "--fix", description: "\(name) needs a value above 0, for example \(name)=1400")
      }
    }
    // Left out, a coefficient's value is 0.
    let isCentre = name == "cx" || name == "cy"
    let wanted = value ?? (isCentre ? nil : 0)
    if let other = fixed[name], other.value != wanted {
      throw ConstraintError(
        option: "--fix",
        description: "\(name) is to stay at \(Self.text(wanted)), and by \(other.option) at "
          + Self.text(other.value))
    }
    fixed[name] = fixed[name] ?? Fixed(wanted, option: "--fix")
  }

  private func check(
    _ name: String, option: String, _ lensModel: LensModel?, aliases: [String]
  ) throws(ConstraintError) {
    let known = Self.names(lensModel)
    guard known.contains(name) else {
      throw ConstraintError(
        option: option,
        description: "\(Self.text(lensModel)) has no parameter \(name); it has "
          + known.joined(separator: ", ")
          + (aliases.isEmpty ? "" : ", and \(aliases[0]) for cx and cy"))
    }
  }

  private mutating func sharePixels() throws(ConstraintError) {
    if let fx = fixed["fx"] ?? fixed["fy"] {
      guard (fixed["fx"] ?? fx).value == (fixed["fy"] ?? fx).value else {
        throw ConstraintError(
          option: "--square-pixels", description: "fx and fy are fixed at different values")
      }
      guard priors["fx"] == nil, priors["fy"] == nil else {
        throw ConstraintError(
          option: "--prior",
          description: "fx and fy are one by --square-pixels, and fixed: nothing is left for a "
            + "prior to say")
      }
      fixed["fx"] = fx
      fixed["fy"] = fx
      return
    }
    guard priors["fx"] == nil || priors["fy"] == nil else {
      throw ConstraintError(
        option: "--prior",
        description: "fx and fy are one by --square-pixels: give a prior for one of them")
    }
    hasSquarePixels = true
  }

  private func check(
    coefficientCount: Int?, _ lensModel: LensModel
  ) throws(ConstraintError) {
    guard let coefficientCount else { return }
    for (index, name) in lensModel.coefficientNames.enumerated() where index >= coefficientCount {
      if priors[name] != nil {
        throw ConstraintError(
          option: "--prior",
          description: "\(name) is not among the first \(coefficientCount) coefficients that "
            + "--coefficients asks for")
      }
      if let value = fixed[name]?.value, value != 0 {
        throw ConstraintError(
          option: "--fix",
          description: "\(name) would stay at \(value), but --coefficients \(coefficientCount) "
            + "holds it at 0")
      }
    }
  }

  /// The parameters that can be named.
  private static func names(_ lensModel: LensModel?) -> [String] {
    guard let lensModel else { return ["fx", "fy", "cx", "cy", "p1", "p2"] }
    return zip(lensModel.parameterNames, lensModel.isEstimated).compactMap { $1 ? $0 : nil }
  }

  private static func text(_ lensModel: LensModel?) -> String {
    lensModel.map { "a \($0.rawValue) lens" } ?? "a lens that is yet to be chosen"
  }

  private static func text(_ value: Double?) -> String {
    value.map { "\($0)" } ?? "the middle of the image"
  }
}
