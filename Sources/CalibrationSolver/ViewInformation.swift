/// What each view says of the shared parameters.
struct ViewInformation {
  let count: Int
  let size: Int
  let names: [String]
  private let linear: Linearization

  init(_ solution: Solution) {
    linear = solution.linearization
    count = linear.activeViews.count
    size = linear.freeCount
    names = solution.slotNames
  }

  /// g_v.
  func gradient(_ view: Int) -> ArraySlice<Double> {
    linear.viewGradients[(view * size)..<((view + 1) * size)]
  }

  /// H_v, row by row.
  func hessian(_ view: Int) -> ArraySlice<Double> {
    linear.viewHessians[(view * size * size)..<((view + 1) * size * size)]
  }

  /// Adds H_v and g_v to sums, or takes them away.
  func add(_ view: Int, _ hessian: inout [Double], _ gradient: inout [Double], sign: Double = 1) {
    for (index, value) in self.hessian(view).enumerated() { hessian[index] += sign * value }
    for (index, value) in self.gradient(view).enumerated() { gradient[index] += sign * value }
  }

  /// −H⁻¹·g; a trace of all views' H holds what these leave open.
  func step(_ hessian: [Double], _ gradient: [Double]) -> [Double]? {
    var held = hessian
    for index in 0..<size {
      held[index * size + index] += 1e-9 * linear.hessian[index * size + index]
    }
    var step = gradient.map(-)
    return SmallMatrix.solve(held, size, &step) ? step : nil
  }

  /// By how much Σr² changes in a view if the shared parameters take a step: dᵀ·H_v·d + 2·g_vᵀ·d.
  func change(_ view: Int, _ step: [Double]) -> Double {
    let (h, g) = (hessian(view), gradient(view))
    var sum = 0.0
    for i in 0..<size {
      var row = 2 * g[g.startIndex + i]
      for j in 0..<size { row += h[h.startIndex + i * size + j] * step[j] }
      sum += row * step[i]
    }
    return sum
  }

  /// The views in the order of what they say of each of the intrinsics, with all others held.
  var orders: [[Int]] {
    names.indices.filter { ["fx", "fy", "cx", "cy"].contains(names[$0]) }.map { k in
      let wishes = (0..<count).map { view -> Double in
        let h = hessian(view)
        let information = h[h.startIndex + k * size + k]
        return information > 0 ? -gradient(view)[view * size + k] / information : 0
      }
      return (0..<count).sorted { wishes[$0] < wishes[$1] }
    }
  }
}
