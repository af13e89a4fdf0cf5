import CameraModel

/// A value at which something is held, and that the views contradict.
package struct FixedConflict: Sendable, Hashable {
  /// The parameter; `fx/fy` where both were one number, `bend` of a board that was taken for flat.
  package var name: String
  /// Where it is held; a bend as a share of the board's length.
  package var value: Double
  /// What the views say where it is estimated, and with which deviation.
  package var alone: Double
  package var deviation: Double

  /// So many deviations apart, a value and the views are no matter of chance.
  static let limit = PriorConflict.limit

  /// What proportions and bend are called.
  package static let (proportions, bend) = ("fx/fy", "bend")

  /// What the views say of all that is held by somebody's word.
  package struct Findings: Sendable {
    /// What they place elsewhere, in the model's order, then proportions and bend.
    package var conflicts: [FixedConflict] = []
    /// How far the camera moves where all of it is estimated; nil where nothing is contradicted, and where
    /// the views do not determine as much.
    package var shift: CameraShift?
  }

  /// The held parameters that the views place elsewhere, in the model's order.
  ///
  /// All are estimated together, so that a wrong one is not blamed on another that could make up for it; where
  /// the views do not determine as many, each by itself. What they do not determine at all they do not
  /// contradict. Focal lengths that were one are two then.
  ///
  /// - Parameters:
  ///   - problem: Started from its solution.
  ///   - names: The parameters that are held by somebody's word.
  ///   - shape: The bend that a board may have that was taken for flat by somebody's word; nil otherwise.
  package static func findings(
    _ problem: SolverProblem, names: Set<String>, shape: BoardShape? = nil, jobs: Int = 1
  ) -> Findings {
    let model = problem.camera.lensModel
    let held = model.parameterNames.enumerated().filter { index, name in
      names.contains(name) && !problem.free[index] && model.isEstimated[index]
    }
    .map(\.element)
    guard !held.isEmpty || shape != nil || problem.hasSquarePixels else { return Findings() }
    if let together = estimated(held, problem, shape, jobs: jobs) { return together }
    var apart = problem
    apart.hasSquarePixels = false
    let singles =
      held.map { (problem, [$0], nil as BoardShape?) }
      + (problem.hasSquarePixels ? [(apart, [], nil)] : [])
      + (shape.map { [(problem, [], $0)] } ?? [])
    guard singles.count > 1 else { return Findings() }
    let found = singles.compactMap { problem, names, shape in
      estimated(names, problem, shape, keepsPixels: true, jobs: jobs)
    }
    // One after the other they may each move the camera somewhere else: the farthest counts.
    return Findings(
      conflicts: found.flatMap(\.conflicts),
      shift: found.compactMap(\.shift).max { $0.knownMean < $1.knownMean })
  }
}
