/// The formulas by which a lens maps a direction to a place on the sensor.
public enum LensModel: String, Sendable, Hashable, CaseIterable {
  /// Brown–Conrady with up to three radial and two tangential coefficients.
  ///
  /// With x = X/Z, y = Y/Z, r² = x² + y²:
  /// x' = x(1 + k1 r² + k2 r⁴ + k3 r⁶) + 2 p1 x y + p2 (r² + 2x²),
  /// y' = y(1 + k1 r² + k2 r⁴ + k3 r⁶) + p1 (r² + 2y²) + 2 p2 x y.
  /// Source: OpenCV documentation, module calib3d.
  case pinhole
  /// Brown–Conrady whose radial factor is (1 + k1 r² + k2 r⁴ + k3 r⁶) / (1 + k4 r² + k5 r⁴ + k6 r⁶).
  ///
  /// Source: OpenCV documentation, module calib3d, CALIB_RATIONAL_MODEL.
  case rational
  /// Kannala–Brandt: r_d = θ(1 + k1 θ² + k2 θ⁴ + k3 θ⁶ + k4 θ⁸), θ the angle to the optical axis.
  ///
  /// Source: Kannala and Brandt, "A generic camera model and calibration method for conventional,
  /// wide-angle, and fish-eye lenses", IEEE PAMI 28 (2006); OpenCV documentation, namespace fisheye.
  case fisheye

  /// The names of the distortion coefficients in OpenCV's order, which is the order everywhere.
  public var coefficientNames: [String] {
    switch self {
    case .pinhole: ["k1", "k2", "p1", "p2", "k3"]
    case .rational: ["k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"]
    case .fisheye: ["k1", "k2", "k3", "k4"]
    }
  }

  /// The names of all parameters in order: `fx`, `fy`, `cx`, `cy`, then the coefficients.
  public var parameterNames: [String] { ["fx", "fy", "cx", "cy"] + coefficientNames }
}
