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
  /// Kannala–Brandt with tangential terms, whose radial polynomial may change at three knots.
  ///
  /// With θ the angle to the optical axis, t = θ², a = θ·X/√(X²+Y²), b = θ·Y/√(X²+Y²):
  /// x' = a·S(t) + 2 p1 a b + p2 (t + 2a²), y' = b·S(t) + p1 (t + 2b²) + 2 p2 a b,
  /// S = 1 + k1 t + k2 t² + k3 t³ + k4 t⁴ + s1 (t − T/2)₊⁴ + s2 (t − T/4)₊⁴ + s3 (t − 3T/4)₊⁴,
  /// T = thetaMax², (d)₊ = d where d > 0, else 0: a spline of degree 4 in θ². `thetaMax`, radians, is not
  /// estimated: it is the farthest that points were seen from the axis, and beyond it the lens has no
  /// answer. The model is ours; without knots it is Kannala–Brandt with the tangential terms that COLMAP
  /// (colmap.github.io, "Camera models", THIN_PRISM_FISHEYE) puts there.
  case spline

  /// The names of the distortion coefficients in OpenCV's order, which is the order everywhere;
  /// what OpenCV does not have comes after that.
  public var coefficientNames: [String] {
    switch self {
    case .pinhole: ["k1", "k2", "p1", "p2", "k3"]
    case .rational: ["k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"]
    case .fisheye: ["k1", "k2", "k3", "k4"]
    case .spline: ["k1", "k2", "p1", "p2", "k3", "k4", "s1", "s2", "s3", "thetaMax"]
    }
  }

  /// The names of all parameters in order: `fx`, `fy`, `cx`, `cy`, then the coefficients.
  public var parameterNames: [String] { ["fx", "fy", "cx", "cy"] + coefficientNames }

  /// For each parameter whether calibrating estimates it: all but the limit of a spline.
  package var isEstimated: [Bool] { parameterNames.map { $0 != "thetaMax" } }

  /// The number of coefficients that can be estimated.
  package var estimatedCoefficientCount: Int { isEstimated.count { $0 } - 4 }

  /// Whether the model is one of the angle to the axis, and so goes beyond 90°.
  package var isAngular: Bool {
    switch self {
    case .pinhole, .rational: false
    case .fisheye, .spline: true
    }
  }
}
