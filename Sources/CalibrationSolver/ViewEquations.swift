/// One pass over the points of a problem, the poses eliminated: what `GrowingSolution` adds up.
struct ViewEquations {
  /// Σ H_v, row by row.
  private(set) var hessian: [Double]
  /// Σ g_v.
  private(set) var gradient: [Double]
  /// Σ weight·r², px².
  private(set) var cost: Double
  /// D⁻¹·[Bᵀ | h] of each view, six rows; empty where a view takes no part.
  private(set) var eliminations: [[Double]]

  /// - Throws: `pointNotVisible`, `singular`.
  init(_ problem: SolverProblem, jobs: Int) throws(SolverError) {
    let linearized = LinearizedViews(PackedViews(problem.views), problem: problem)
    if let view = linearized.evaluate(jobs: jobs) {
      throw SolverError(
        .pointNotVisible, subject: "view \(view)",
        message: "the camera does not see one of its points")
    }
    let p = linearized.freeCount
    let reduced = ReducedViews(viewCount: problem.views.count, freeCount: p)
    if let view = reduced.reduce(linearized, damping: 0, jobs: jobs) {
      throw SolverError(
        .singular, subject: "view \(view)",
        message: "its points do not determine where the board is")
    }
    hessian = Array(repeating: 0, count: p * p)
    gradient = Array(repeating: 0, count: p)
    eliminations = []
    eliminations.reserveCapacity(problem.views.count)
    cost = linearized.cost
    for view in problem.views.indices {
      guard linearized.packed.isActive[view] else {
        eliminations.append([])
        continue
      }
      let (h, g) = (reduced.matrix(view), reduced.gradient(view))
      for index in 0..<(p * p) { hessian[index] += h[index] }
      for index in 0..<p { gradient[index] += g[index] }
      let z = reduced.elimination + view * 6 * reduced.columns
      var rows = [Double]()
      rows.reserveCapacity(6 * (p + 1))
      for k in 0..<6 {
        rows += UnsafeBufferPointer(start: z + k * reduced.columns, count: p + 1)
      }
      eliminations.append(rows)
    }
  }
}
