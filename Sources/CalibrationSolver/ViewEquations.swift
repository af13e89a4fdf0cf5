/// One pass over the points of a problem, the poses eliminated: what `GrowingSolution` adds up.
struct ViewEquations {
  /// H, H_v, g_v and the rest, priors not yet among them.
  private(set) var linearization: Linearization
  /// Of each active view Σ weight·r², px².
  private(set) var costs: [Double]
  /// D⁻¹·Bᵀ of each active view: six rows of a number for each slot.
  private(set) var eliminations: [Double]
  /// D⁻¹·h of each active view: by how much its pose is off, given the shared parameters.
  private(set) var offsets: [Double]
  /// Projected − seen for each point of each view, used or not, pixels.
  private(set) var residuals: [[SIMD2<Double>]]

  /// - Throws: `pointNotVisible`, `singular`.
  init(_ problem: SolverProblem) throws(SolverError) {
    let packed = PackedViews(problem.views)
    let linearized = LinearizedViews(packed, problem: problem)
    if let view = linearized.evaluate(jobs: 1) {
      throw SolverError(
        .pointNotVisible, subject: "view \(view)",
        message: "the camera does not see one of its points")
    }
    let p = linearized.freeCount
    let reduced = ReducedViews(viewCount: problem.views.count, freeCount: p)
    if let view = reduced.reduce(linearized, damping: 0, jobs: 1) {
      throw SolverError(
        .singular, subject: "view \(view)",
        message: "its points do not determine where the board is")
    }
    linearization = Linearization(
      linearized, reduced: reduced, priors: Array(repeating: nil, count: p),
      priorWeights: Array(repeating: 0, count: p), jobs: 1)
    costs = []
    eliminations = []
    offsets = []
    eliminations.reserveCapacity(6 * p * linearization.activeViews.count)
    let last = linearized.width * linearized.width - 1
    for view in linearization.activeViews {
      costs.append(linearized.block(view)[last])
      let z = reduced.elimination + view * 6 * reduced.columns
      for k in 0..<6 {
        let row = UnsafeBufferPointer(start: z + k * reduced.columns, count: p + 1)
        eliminations += row.dropLast()
        offsets.append(row[p])
      }
    }
    residuals = problem.views.indices.map { linearized.residuals(ofView: $0) }
  }
}
