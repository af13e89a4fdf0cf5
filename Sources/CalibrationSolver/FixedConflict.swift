import CameraModel

/// A value at which a parameter is held, and that the views contradict.
package struct FixedConflict: Sendable, Hashable {
  /// The parameter.
  package var name: String
  /// Where it is held.
  package var value: Double
  /// What the views say where it is estimated, and with which deviation.
  package var alone: Double
  package var deviation: Double

  /// So many deviations apart, a value and the views are no matter of chance.
  static let limit = PriorConflict.limit

  /// The held parameters that the views place elsewhere, in the model's order.
  ///
  /// All are estimated together, so that a wrong one is not blamed on another that could make up for it; where
  /// the views do not determine as many, each by itself. What they do not determine at all they do not
  /// contradict.
  ///
  /// - Parameters:
  ///   - problem: Started from its solution.
  ///   - names: The parameters that are held by somebody's word.
  package static func all(
    _ problem: SolverProblem, names: Set<String>, jobs: Int = 1
  ) -> [FixedConflict] {
    let model = problem.camera.lensModel
    let held = model.parameterNames.enumerated().filter { index, name in
      names.contains(name) && !problem.free[index] && model.isEstimated[index]
    }
    .map(\.element)
    guard !held.isEmpty else { return [] }
    if let together = estimated(held, problem, jobs: jobs) { return together }
    guard held.count > 1 else { return [] }
    return held.flatMap { estimated([$0], problem, jobs: jobs) ?? [] }
  }

  /// The conflicts where some parameters are estimated, too; nil where the views do not determine them.
  private static func estimated(
    _ names: [String], _ problem: SolverProblem, jobs: Int
  ) -> [FixedConflict]? {
    var freed = problem
    for name in names { freed.free(name) }
    // One of two focal lengths that were one may not be estimated.
    if freed.hasSquarePixels, freed.free[0] != freed.free[1] { return nil }
    let options = BundleAdjustment.Options(jobs: jobs)
    guard let solution = try? BundleAdjustment.lowest(freed, options: options),
      let deviations = (try? ParameterCovariance(solution))?.standardDeviations
    else { return nil }
    return names.compactMap { name in
      guard let index = problem.camera.lensModel.parameterNames.firstIndex(of: name),
        let deviation = deviations[name], deviation.isFinite, deviation > 0
      else { return nil }
      let value = problem.camera.parameterVector[index]
      let alone = solution.camera.parameterVector[index]
      guard abs(alone - value) > limit * deviation else { return nil }
      return FixedConflict(name: name, value: value, alone: alone, deviation: deviation)
    }
  }
}
