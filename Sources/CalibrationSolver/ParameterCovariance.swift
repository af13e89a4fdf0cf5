import CameraModel
import Locking

/// How well the camera is known: two covariances, see the documentation of the numbers.
///
/// A bend of the board that is estimated beside the camera counts in both, but has no row of its own.
package struct ParameterCovariance: Sendable {
  /// The names of the estimated parameters, in the order of rows and columns; of those that are one,
  /// the first.
  package var names: [String]
  /// H⁻¹·s²: right for independent corner noise and a perfect model; rows of equal length.
  package var noise: [[Double]]
  /// The one-step delete-one-view jackknife; nil below 6 views.
  package var viewToView: [[Double]]?
  /// 1σ of a and b of the board's bend, the larger of both covariances; nil where it is not estimated.
  package var bendDeviations: SIMD2<Double>?
  /// The variance of the bend between views divided by that from noise, both numbers together; nil
  /// where there is no bend, and below 6 views.
  package var bendRatio: Double?

  /// The names of all estimated parameters, and the row that each has.
  private var rowsOfAll: [(name: String, row: Int)]

  /// The covariances at a solution.
  ///
  /// - Parameter jobs: The number of threads; the result does not depend on it.
  /// - Throws: `singular` where the views leave a combination of parameters without any support.
  package init(_ solution: Solution, jobs: Int = 1) throws(SolverError) {
    try self.init(solution, solution.linearization, jobs: jobs)
  }

  private init(
    _ solution: Solution, _ linear: Linearization, jobs: Int
  ) throws(SolverError) {
    let p = linear.freeCount
    names = solution.slotNames
    rowsOfAll = solution.cameraSlots.enumerated().flatMap { slot, indices in
      indices.map { (index: $0, slot: slot) }
    }
    .sorted { $0.index < $1.index }
    .map { (solution.camera.lensModel.parameterNames[$0.index], $0.slot) }
    guard let inverse = SmallMatrix.inverse(linear.hessian, p) else {
      throw SolverError(
        .singular, subject: "parameters",
        message: "the views say nothing of some combination of \(names.joined(separator: ", ")); "
          + "tilt the board, and show it at several places")
    }
    var noise = inverse.map { $0 * solution.variance }
    var views = Self.jackknife(linear, jobs: jobs)
    // What the prior may be off by moves the answer along H⁻¹'s column, weight times: no view that is
    // left out shows that. The noise covariance has it already where the weight is s²/σ².
    for (slot, prior) in linear.priors.all.enumerated() {
      guard let prior else { continue }
      let push = linear.priors.weights[slot] * prior.deviation
      let column = (0..<p).map { inverse[$0 * p + slot] * push }
      for i in 0..<p {
        for j in 0..<p {
          let share = column[i] * column[j]
          noise[i * p + j] += share * max(0, 1 - 1 / prior.emphasis)
          views?[i * p + j] += share
        }
      }
    }
    let all = [noise, views].map { $0.map { SmallMatrix.rows($0, p) } }
    let camera = linear.cameraCount
    func ofCamera(_ rows: [[Double]]?) -> [[Double]]? {
      rows.map { $0.prefix(camera).map { Array($0.prefix(camera)) } }
    }
    self.noise = ofCamera(all[0]) ?? []
    viewToView = ofCamera(all[1])
    if camera < p {
      func deviations(_ rows: [[Double]]) -> SIMD2<Double> {
        SIMD2(rows[camera][camera], rows[p - 1][p - 1]).squareRoot()
      }
      let own = all.compactMap { $0 }.map(deviations)
      bendDeviations = pointwiseMax(own[0], own[own.count - 1])
      if own.count > 1 { bendRatio = (own[1] * own[1]).sum() / (own[0] * own[0]).sum() }
    }
  }

  /// How well the views alone, without a prior on it, know the board's bend: 1σ of a and b, the larger of
  /// both covariances, and `bendRatio`.
  ///
  /// nil where it is not estimated, where they say nothing of it, and below 6 views, where nothing shows
  /// whether they agree.
  package static func unaidedBend(
    _ solution: Solution
  ) -> (deviations: SIMD2<Double>, ratio: Double)? {
    let all = solution.linearization
    let linear = all.without(priorsOf: all.cameraCount..<all.freeCount)
    guard let covariance = try? ParameterCovariance(solution, linear, jobs: 1),
      let deviations = covariance.bendDeviations, let ratio = covariance.bendRatio
    else { return nil }
    return (deviations, ratio)
  }

  /// C = (n−1)/n·Σ(d_v − d̄)(d_v − d̄)ᵀ with d_v = (H − H_v)⁻¹·g_v.
  private static func jackknife(_ linear: Linearization, jobs: Int) -> [Double]? {
    let p = linear.freeCount
    let n = linear.activeViews.count
    guard n >= 6, p > 0 else { return nil }
    let numbers = SharedNumbers(count: n * p)
    Parallel.forEach(n, jobs: n < 100 ? 1 : jobs) { view in
      let step = step(without: view, linear)
      for index in 0..<p { numbers.base[view * p + index] = step?[index] ?? .nan }
    }
    let steps = numbers.base
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

  /// (H − H_v)⁻¹·g_v of an active view, counted as in `activeViews`.
  private static func step(without view: Int, _ linear: Linearization) -> [Double]? {
    let p = linear.freeCount
    var rest = linear.hessian
    for index in 0..<(p * p) { rest[index] -= linear.viewHessians[view * p * p + index] }
    var step = Array(linear.viewGradients[(view * p)..<((view + 1) * p)])
    if !SmallMatrix.solve(rest, p, &step) {
      // Without this view nothing is left to hold some combination of parameters. A trace of the
      // whole H keeps the step finite, and as large as that deserves.
      for index in 0..<p { rest[index * p + index] += 1e-9 * linear.hessian[index * p + index] }
      guard SmallMatrix.solve(rest, p, &step) else { return nil }
    }
    return step
  }
}

extension ParameterCovariance {
  /// 1σ of each estimated parameter: the larger of both covariances, by name.
  package var standardDeviations: [String: Double] {
    let deviations = deviations
    return Dictionary(
      rowsOfAll.map { ($0.name, deviations[$0.row]) }, uniquingKeysWith: { first, _ in first })
  }

  /// Names and covariances of all estimated parameters in the lens model's order: those that are one
  /// have equal rows.
  package var spread: (names: [String], noise: [[Double]], viewToView: [[Double]]?) {
    func spread(_ rows: [[Double]]) -> [[Double]] {
      rowsOfAll.map { line in rowsOfAll.map { rows[line.row][$0.row] } }
    }
    return (rowsOfAll.map(\.name), spread(noise), viewToView.map(spread))
  }

  /// 1σ of each row: the larger of both covariances, in the order of `names`.
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
