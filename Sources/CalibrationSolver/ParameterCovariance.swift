/// How well the free parameters are known: two covariances, see the documentation of the numbers.
package struct ParameterCovariance: Sendable {
  /// The names of the free parameters, in the order of rows and columns.
  package var names: [String]
  /// H⁻¹·s²: right for independent corner noise and a perfect model; rows of equal length.
  package var noise: [[Double]]
  /// The one-step delete-one-view jackknife; nil below 6 views.
  package var viewToView: [[Double]]?

  /// The covariances at a solution.
  ///
  /// - Throws: `singular` where the views leave a combination of parameters without any support.
  package init(_ solution: Solution) throws(SolverError) {
    let linear = solution.linearization
    let p = linear.freeCount
    names = solution.freeNames
    guard let inverse = SmallMatrix.inverse(linear.hessian, p) else {
      throw SolverError(
        .singular, subject: "parameters",
        message: "the views say nothing of some combination of \(names.joined(separator: ", ")); "
          + "tilt the board, and show it at several places")
    }
    noise = SmallMatrix.rows(inverse.map { $0 * solution.variance }, p)
    viewToView = Self.jackknife(linear).map { SmallMatrix.rows($0, p) }
  }

  /// C = (n−1)/n·Σ(d_v − d̄)(d_v − d̄)ᵀ with d_v = (H − H_v)⁻¹·g_v.
  private static func jackknife(_ linear: Linearization) -> [Double]? {
    let p = linear.freeCount
    let n = linear.activeViews.count
    guard n >= 6, p > 0 else { return nil }
    var steps = [Double](repeating: 0, count: n * p)
    for view in 0..<n {
      var rest = linear.hessian
      for index in 0..<(p * p) { rest[index] -= linear.viewHessians[view * p * p + index] }
      var step = Array(linear.viewGradients[(view * p)..<((view + 1) * p)])
      if !SmallMatrix.solve(rest, p, &step) {
        // Without this view nothing is left to hold some combination of parameters. A trace of the
        // whole H keeps the step finite, and as large as that deserves.
        for index in 0..<p { rest[index * p + index] += 1e-9 * linear.hessian[index * p + index] }
        guard SmallMatrix.solve(rest, p, &step) else { return nil }
      }
      for index in 0..<p { steps[view * p + index] = step[index] }
    }
    for index in 0..<p {
      var mean = 0.0
      for view in 0..<n { mean += steps[view * p + index] }
      mean /= Double(n)
      for view in 0..<n { steps[view * p + index] -= mean }
    }
    var covariance = [Double](repeating: 0, count: p * p)
    let factor = Double(n - 1) / Double(n)
    for view in 0..<n {
      for i in 0..<p {
        for j in 0..<p {
          covariance[i * p + j] += factor * steps[view * p + i] * steps[view * p + j]
        }
      }
    }
    return covariance.allSatisfy(\.isFinite) ? covariance : nil
  }
}

extension ParameterCovariance {
  /// 1σ of each free parameter: the larger of both covariances, by name.
  package var standardDeviations: [String: Double] {
    Dictionary(uniqueKeysWithValues: zip(names, deviations))
  }

  /// 1σ of each free parameter: the larger of both covariances, in the order of `names`.
  package var deviations: [Double] {
    names.indices.map { index in
      max(noise[index][index], viewToView?[index][index] ?? 0).squareRoot()
    }
  }

  /// View-to-view deviation divided by noise deviation, in the order of `names`; nil below 6 views.
  ///
  /// Above 2 the views disagree by more than corner noise: bent board, moved focus, motion, or a lens
  /// model that is too simple.
  package var ratios: [Double]? {
    viewToView.map { views in
      names.indices.map { (views[$0][$0] / noise[$0][$0]).squareRoot() }
    }
  }

  /// Pairs of parameters whose noise errors go together to more than `limit`.
  package func correlations(above limit: Double = 0.95) -> [Correlation] {
    var pairs: [Correlation] = []
    for i in names.indices {
      for j in names.indices where j > i {
        let value = noise[i][j] / (noise[i][i] * noise[j][j]).squareRoot()
        if abs(value) > limit {
          pairs.append(Correlation(first: names[i], second: names[j], value: value))
        }
      }
    }
    return pairs
  }

  /// Two parameters whose errors go together.
  package struct Correlation: Sendable, Hashable {
    package var first: String
    package var second: String
    /// The coefficient, −1…1.
    package var value: Double
  }
}
