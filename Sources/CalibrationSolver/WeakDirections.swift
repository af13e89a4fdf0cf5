import CameraModel

/// Combinations of parameters that the views hardly tell apart, in words.
package struct WeakDirection: Sendable, Hashable {
  /// By how much one deviation along it moves the image, after alignment: RMS over the image, pixels.
  package var pixels: Double
  /// The share of each parameter, by name, in −1…1, squares adding up to 1; the largest first.
  package var loadings: [Loading]
  /// What cannot be told apart, and the cure.
  package var sentence: String

  /// A parameter's part in a direction.
  package struct Loading: Sendable, Hashable {
    package var name: String
    package var value: Double
  }

  /// The directions of a solution, the weakest first; as many as the camera has slots.
  ///
  /// Eigenvectors of D^−½·H·D^−½, D the mean square over the image by which a unit of each parameter
  /// moves the image after alignment (`ProjectionUncertainty`). Scaled like this, a parameter that
  /// the poses take up, such as a shifted principal point, does not count as weak only because it is
  /// hard to see, and what is left is what a user of the camera would notice.
  package static func directions(of solution: Solution) -> [WeakDirection] {
    let linear = solution.linearization
    let p = linear.cameraCount
    let effect = imageEffect(solution)
    let scale = (0..<p).map { effect[$0 * p + $0] > 0 ? 1 / effect[$0 * p + $0].squareRoot() : 0 }
    var matrix = SmallMatrix.marginal(linear.hessian, linear.freeCount, of: p)
    for i in 0..<p {
      for j in 0..<p { matrix[i * p + j] *= scale[i] * scale[j] }
    }
    return SymmetricEigen(matrix, p).pairs.map { value, vector in
      let loadings = zip(solution.slotNames, vector).map { Loading(name: $0, value: $1) }
        .sorted { abs($0.value) > abs($1.value) }
      var squares = 0.0
      for i in 0..<p {
        for j in 0..<p {
          squares += vector[i] * scale[i] * effect[i * p + j] * scale[j] * vector[j]
        }
      }
      let deviation = value > 0 ? (solution.variance * max(0, squares) / value).squareRoot() : 0
      return WeakDirection(
        pixels: value > 0 ? deviation : .greatestFiniteMagnitude, loadings: loadings,
        sentence: sentence(loadings))
    }
    .sorted { $0.pixels > $1.pixels }
  }

  /// The mean over the image of (J_q + T·M)ᵀ·(J_q + T·M), every second cell of the grid.
  private static func imageEffect(_ solution: Solution) -> [Double] {
    let p = solution.linearization.cameraCount
    let pixels = stride(from: 0, to: ProjectionUncertainty.rows, by: 2).flatMap { row in
      stride(from: 0, to: ProjectionUncertainty.columns, by: 2).map { column in
        ProjectionUncertainty.cellCentre(
          column: column, row: row, of: solution.camera.resolution)
      }
    }
    guard let alignment = solution.linearization.alignment,
      let moments = SensitivityMoments(solution, at: pixels)
    else { return Array(repeating: 0, count: p * p) }
    return moments.spread(alignment)
  }

  private static func sentence(_ loadings: [Loading]) -> String {
    // Parameters with a tenth of the square or more take part.
    let parts = loadings.filter { $0.value * $0.value >= 0.1 }
    let names = Set(parts.map(\.name))
    func share(_ wanted: Set<String>) -> Double {
      loadings.reduce(0) { $0 + (wanted.contains($1.name) ? $1.value * $1.value : 0) }
    }
    func value(_ name: String) -> Double { loadings.first { $0.name == name }?.value ?? 0 }
    let radial: Set<String> = ["k1", "k2", "k3", "k4", "k5", "k6"]
    if share(["fx", "fy"]) >= 0.5 {
      return value("fx") * value("fy") >= 0
        ? "focal length and distance cannot be told apart: tilt the board"
        : "fx and fy cannot be told apart from tilt: tilt the board about both of its axes"
    }
    if share(radial) >= 0.6 {
      let list = names.intersection(radial).sorted().joined(separator: ", ")
      return "the radial coefficients (\(list)) cannot be told apart: "
        + "bring the board into the corners of the image"
    }
    if share(["cx", "p2"]) >= 0.6 {
      return "the principal point's column (cx, p2) and the board's tilt cannot be told apart: "
        + "tilt the board to the left and to the right, and turn it by 90°"
    }
    if share(["cy", "p1"]) >= 0.6 {
      return "the principal point's row (cy, p1) and the board's tilt cannot be told apart: "
        + "tilt the board up and down, and turn it by 90°"
    }
    if share(["cx", "cy", "p1", "p2"]) >= 0.6 {
      return "the principal point and the board's tilt cannot be told apart: "
        + "tilt the board in several directions, and turn it by 90°"
    }
    return "\(parts.map(\.name).joined(separator: ", ")) cannot be told apart: "
      + "show the board under more tilts and at more places"
  }
}
