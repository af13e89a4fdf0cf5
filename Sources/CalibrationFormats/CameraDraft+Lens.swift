internal import CameraModel

/// What a file says about its lens.
enum StatedLens: Sendable, Hashable {
  /// Brown–Conrady, OpenCV's `distCoeffs`: 4, 5, 8, 12 or 14 coefficients.
  case brown
  /// Kannala–Brandt, OpenCV's namespace `fisheye`: 4 coefficients.
  case fisheye
  /// No distortion.
  case none
  /// Nothing: then the number of coefficients decides, but for 4.
  case unstated

  /// The lens that a name stands for in the dialects that name it; nil for all that have no
  /// equal here.
  init?(name: String) {
    switch Node.folded(name) {
    case "plumbbob", "rationalpolynomial", "radtan", "radialtangential", "brownconrady", "brown",
      "pinhole", "perspective", "opencv", "pinholeradtan", "rational":
      self = .brown
    case "equidistant", "equi", "fisheye", "kannalabrandt", "kannalabrandt4", "kannalabrandt8",
      "opencvfisheye", "pinholeequi", "kb4", "fisheye4", "equidistant4":
      self = .fisheye
    case "none", "nodistortion": self = .none
    default: return nil
    }
  }

  /// Reads a name or says which model it is that has no equal here.
  static func named(_ node: Node, as key: String) throws(FormatError) -> StatedLens {
    let name = try node.string(key)
    guard let lens = StatedLens(name: name) else {
      throw FormatError(
        .notRepresentable, line: node.line,
        "\(key) is \"\(name)\"\(explanation(of: name)); this model has no equivalent here (known: "
          + "pinhole with radial-tangential distortion, rational, equidistant fisheye)")
    }
    return lens
  }

  private static func explanation(of name: String) -> String {
    switch Node.folded(name) {
    case "ds": " (double sphere)"
    case "eucm": " (extended unified)"
    case "ucm": " (unified)"
    case "mei", "omni", "omnidirectional": " (unified omnidirectional, with a mirror parameter)"
    case "fov", "atan": " (field-of-view, with an angle omega)"
    case "thinprismfisheye", "thinprism": " (thin prism)"
    case "inversebrownconrady", "distortion.inversebrownconrady",
      "distortioninversebrownconrady":
      " (it maps distorted to undistorted points, the opposite direction)"
    default: ""
    }
  }
}

extension CameraDraft.Lens {
  /// A lens without distortion.
  static let undistorted = CameraDraft.Lens(model: .pinhole, coefficients: [])

  /// Gives coefficients in OpenCV's order their model.
  ///
  /// - Parameter choice: What the user says, for files that leave it open.
  init(
    _ stated: StatedLens, _ coefficients: MatrixNode?, choice: LensModel?, line: Int
  ) throws(FormatError) {
    let values = coefficients?.values ?? []
    let line = coefficients?.line ?? line
    switch stated {
    case .none:
      guard values.allSatisfy({ $0.value == 0 }) else {
        throw FormatError(
          .badValue, line: line, "coefficients that are not zero beside a model without distortion")
      }
      self = .undistorted
    case .fisheye: try self.init(fisheye: values, line: line)
    case .brown: try self.init(brown: values, line: line)
    case .unstated:
      switch (values.count, choice) {
      case (4, nil):
        throw FormatError(
          .ambiguousLens, line: line,
          "four coefficients, and the file does not say of which lens model: k1 k2 p1 p2 of a "
            + "pinhole or k1 k2 k3 k4 of a fisheye lens; say so with --lens pinhole or --lens fisheye"
        )
      case (4, .fisheye?): try self.init(fisheye: values, line: line)
      default: try self.init(brown: values, line: line)
      }
    }
  }

  private init(fisheye values: [DecimalText], line: Int) throws(FormatError) {
    guard values.count == 4 else {
      throw FormatError(
        .badValue, line: line,
        "\(values.count) coefficients of a fisheye lens; expected four: k1 k2 k3 k4")
    }
    self.init(model: .fisheye, coefficients: values)
  }

  private init(brown values: [DecimalText], line: Int) throws(FormatError) {
    switch values.count {
    case 0, 4, 5: self.init(model: .pinhole, coefficients: values)
    case 8: self.init(model: .rational, coefficients: values)
    case 12, 14:
      guard values[8...].allSatisfy({ $0.value == 0 }) else {
        throw FormatError(
          .notRepresentable, line: line,
          "thin-prism or tilt coefficients (the \(values.count - 8) after k6) that are not zero; "
            + "they have no equivalent here")
      }
      self.init(model: .rational, coefficients: Array(values[..<8]))
    default:
      throw FormatError(
        .badValue, line: line,
        "\(values.count) distortion coefficients; expected 4 or 5 (k1 k2 p1 p2 k3), 8 (rational), "
          + "12 or 14")
    }
  }
}
