package import CameraModel

/// Where a camera sees a direction, and how that moves as the direction turns.
package struct TurnedImage: Sendable {
  /// The pixel, pixel-centre convention.
  package var pixel: SIMD2<Double>
  /// The derivatives of u and v by a turn (a small rotation vector), pixels per radian.
  package var turnU: SIMD3<Double>
  package var turnV: SIMD3<Double>

  /// Nil where the camera does not see it.
  ///
  /// - Parameters:
  ///   - point: The direction in the camera's frame, already turned.
  ///   - parameterJacobian: As of `CameraParameters.projectWithJacobians`.
  package init?(
    of point: SIMD3<Double>, in camera: CameraParameters,
    parameterJacobian: UnsafeMutablePointer<Double>? = nil
  ) {
    guard let image = camera.projectWithJacobians(point, parameterJacobian: parameterJacobian),
      image.u.isFinite, image.v.isFinite
    else { return nil }
    func turn(_ by: (Double, Double, Double)) -> SIMD3<Double> {
      SIMD3(
        point.y * by.2 - point.z * by.1, point.z * by.0 - point.x * by.2,
        point.x * by.1 - point.y * by.0)
    }
    pixel = SIMD2(image.u, image.v)
    (turnU, turnV) = (turn(image.uByPoint), turn(image.vByPoint))
  }
}

/// The normal equations of the turn that brings images to where they are seen.
///
/// What searches have of their own (which pixels count, how much, and how far a step may go) stays with them:
/// `CameraShift` and, in `CalibrationComparison`, `Alignment`.
package struct TurnEquations: Sendable {
  /// Σ weight·row·rowᵀ, 3×3.
  package private(set) var normal = [Double](repeating: 0, count: 9)
  /// Σ weight·error².
  package private(set) var cost = 0.0
  private var right = [0.0, 0, 0]

  package init() {}

  /// Adds an image that is to lie at `pixel`.
  package mutating func add(_ image: TurnedImage, at pixel: SIMD2<Double>, weight: Double) {
    let off = image.pixel - pixel
    for (row, error) in [(image.turnU, off.x), (image.turnV, off.y)] {
      cost += weight * error * error
      for i in 0..<3 {
        for j in 0..<3 { normal[3 * i + j] += weight * row[i] * row[j] }
        right[i] -= weight * row[i] * error
      }
    }
  }

  /// The turn that lowers the cost most, as a rotation vector; nil where the images do not determine it.
  ///
  /// - Parameter damping: What the diagonal is raised by, as a part of it.
  package func step(damping: Double = 0) -> SIMD3<Double>? {
    var (damped, turn) = (normal, right)
    for i in 0..<3 { damped[4 * i] *= 1 + damping }
    guard SmallMatrix.solve(damped, 3, &turn) else { return nil }
    return SIMD3(turn[0], turn[1], turn[2])
  }
}
