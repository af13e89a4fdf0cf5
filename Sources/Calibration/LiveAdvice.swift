package import Boards
import CalibrationSolver
package import CalibrationStore
import CameraModel

/// What whoever holds the board should do next, in words.
package struct LiveAdvice {
  /// The step that lowers the uncertainty most, by what the kept views say.
  var nextStep = LiveAdvice.first

  static let first =
    "Show the whole board with its white margin, filling a third of the width or more, and hold it still."

  /// What to do after these views.
  package static func nextStep(
    _ fit: QuickFit, _ coverage: IntrinsicsRecord.Coverage?, _ board: ChessboardGeometry
  ) -> String {
    guard let best = best(fit, board) else {
      let empty = coverage.map(CoverageMap.emptyRegions) ?? []
      return empty.first.map { "Show the board at the \($0), tilted." }
        ?? "Show the board nearer, tilted, elsewhere in the image."
    }
    return best.sentence
  }

  /// Of all ways to hold the board the one after which the uncertainty is least.
  static func best(_ fit: QuickFit, _ board: ChessboardGeometry) -> HoldingPlace? {
    guard let solution = fit.solution, let problem = fit.problem,
      let next = NextView(after: solution, of: problem)
    else { return nil }
    let points = board.cornerPoints
    var best: (place: HoldingPlace, share: Double)?
    for place in HoldingPlace.all {
      guard let pose = place.pose(of: board, before: solution.camera),
        let spacing = spacing(points, board.columns, pose, solution.camera),
        // Corners of small squares are measured in small windows: refinement looks up to 11 px far.
        let share = next.share(leftBy: points, at: pose, weight: min(11, 0.4 * spacing) / 11)
      else { continue }
      if share < best?.share ?? .infinity { best = (place, share) }
    }
    return best?.place
  }

  /// The least distance between neighbours of a row or a column, pixels.
  private static func spacing(
    _ points: [SIMD3<Double>], _ columns: Int, _ pose: Pose, _ camera: CameraParameters
  ) -> Double? {
    let rotation = RotationMatrix(rotationVector: pose.rotation)
    let pixels = points.compactMap { camera.project(rotation * $0 + pose.translation) }
    guard pixels.count == points.count else { return nil }
    var least = Double.infinity
    for index in pixels.indices {
      for neighbour in [index + 1, index + columns] where neighbour < pixels.count {
        if neighbour == index + 1, (index + 1) % columns == 0 { continue }
        let step = pixels[neighbour] - pixels[index]
        least = min(least, (step * step).sum().squareRoot())
      }
    }
    return least
  }

  /// What to say after a frame.
  func text(_ finding: FrameFinding) -> String {
    switch finding {
    case .moving, .checking: "Hold the board still."
    case .focusing: "Hold the board still until the camera has focused on it."
    case .blurred(let sigma):
      "Hold still, or give more light: the board's edges are \(fixed(sigma, 1)) px wide (1σ)."
    case .misfit:
      "These corners do not fit the other views: keep focus and zoom fixed and the board flat."
    case .damaged: "Frames arrive damaged: try another cable or port, or a smaller --size."
    case .alone, .searching, .noBoard, .alike, .kept: nextStep
    }
  }
}
