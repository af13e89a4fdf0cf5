import CameraModel

extension FixedConflict {
  /// The conflicts where some parameters are estimated, too; nil where the views do not determine them.
  ///
  /// - Parameter keepsPixels: Whether focal lengths that are one stay so.
  static func estimated(
    _ names: [String], _ problem: SolverProblem, _ shape: BoardShape?, keepsPixels: Bool = false,
    jobs: Int
  ) -> Findings? {
    var freed = problem
    for name in names { freed.free(name) }
    let areSeparated = problem.hasSquarePixels && !keepsPixels
    if areSeparated { freed.hasSquarePixels = false }
    if let shape, freed.shape == nil { freed.shape = shape }
    // One of two focal lengths that were one may not be estimated.
    if freed.hasSquarePixels, freed.free[0] != freed.free[1] { return nil }
    let options = BundleAdjustment.Options(jobs: jobs)
    guard let solution = try? BundleAdjustment.lowest(freed, options: options),
      let covariance = try? ParameterCovariance(solution)
    else { return nil }
    let deviations = covariance.standardDeviations
    var conflicts = names.compactMap { name -> FixedConflict? in
      guard let index = problem.camera.lensModel.parameterNames.firstIndex(of: name),
        let deviation = deviations[name]
      else { return nil }
      return FixedConflict(
        name: name, value: problem.camera.parameterVector[index],
        alone: solution.camera.parameterVector[index], deviation: deviation)
    }
    if areSeparated, let own = proportions(solution, covariance) { conflicts.append(own) }
    if problem.shape == nil, let own = bend(solution, covariance) { conflicts.append(own) }
    conflicts.removeAll {
      !($0.deviation.isFinite && $0.deviation > 0)
        || abs($0.alone - $0.value) <= limit * $0.deviation
    }
    return Findings(
      conflicts: conflicts,
      shift: conflicts.isEmpty ? nil : CameraShift(solution.camera, problem.camera))
  }

  /// fx/fy, held at 1.
  private static func proportions(
    _ solution: Solution, _ covariance: ParameterCovariance
  ) -> FixedConflict? {
    guard let x = covariance.names.firstIndex(of: "fx"),
      let y = covariance.names.firstIndex(of: "fy")
    else { return nil }
    let k = solution.camera.intrinsics
    let ratio = k.fx / k.fy
    let variances = [covariance.noise, covariance.viewToView].compactMap { $0 }.map { rows in
      rows[x][x] / (k.fx * k.fx) + rows[y][y] / (k.fy * k.fy) - 2 * rows[x][y] / (k.fx * k.fy)
    }
    return FixedConflict(
      name: proportions, value: 1, alone: ratio,
      deviation: ratio * max(0, variances.max() ?? 0).squareRoot())
  }

  /// The board's bend, held at 0: of its two numbers the one that is farther from it.
  private static func bend(
    _ solution: Solution, _ covariance: ParameterCovariance
  ) -> FixedConflict? {
    guard let bend = solution.bend, let deviations = covariance.bendDeviations else { return nil }
    let certainty = bend.sagitta / deviations
    let isFirst = abs(certainty.x) >= abs(certainty.y)
    return FixedConflict(
      name: Self.bend, value: 0, alone: (isFirst ? bend.sagitta.x : bend.sagitta.y) / bend.length,
      deviation: (isFirst ? deviations.x : deviations.y) / bend.length)
  }
}
