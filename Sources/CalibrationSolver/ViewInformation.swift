/// What each view says of the shared parameters.
struct ViewInformation {
  let count: Int
  let size: Int
  let names: [String]
  private let linear: Linearization
  /// The upper triangle of H_v, then g_v: `stride` numbers a view.
  private let packed: [Double]
  private let stride: Int

  init(_ solution: Solution) {
    linear = solution.linearization
    count = linear.activeViews.count
    size = linear.freeCount
    names = solution.slotNames
    stride = size * (size + 3) / 2
    var packed: [Double] = []
    packed.reserveCapacity(count * stride)
    for view in 0..<count {
      for i in 0..<size {
        let row = (view * size + i) * size
        packed += linear.viewHessians[(row + i)..<(row + size)]
      }
      packed += linear.viewGradients[(view * size)..<((view + 1) * size)]
    }
    self.packed = packed
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

  /// By how much Σr² changes in each view if the shared parameters take a step: dᵀ·H_v·d + 2·g_vᵀ·d.
  func changes(_ step: [Double]) -> [Double] {
    var weights: [Double] = []
    weights.reserveCapacity(stride)
    for i in 0..<size {
      for j in i..<size { weights.append((i == j ? 1 : 2) * step[i] * step[j]) }
    }
    for i in 0..<size { weights.append(2 * step[i]) }
    var changes = [Double](repeating: 0, count: count)
    packed.withUnsafeBufferPointer { numbers in
      weights.withUnsafeBufferPointer { weights in
        var place = 0
        for view in 0..<count {
          // Two sums at a time: one alone would wait for itself.
          var (even, odd) = (0.0, 0.0)
          var k = 0
          while k + 1 < stride {
            even += numbers[place + k] * weights[k]
            odd += numbers[place + k + 1] * weights[k + 1]
            k += 2
          }
          if k < stride { even += numbers[place + k] * weights[k] }
          changes[view] = even + odd
          place += stride
        }
      }
    }
    return changes
  }

  /// Σ H_v, row by row, and Σ g_v of some views.
  func sums(of views: [Int]) -> ([Double], [Double]) {
    var sum = [Double](repeating: 0, count: stride)
    packed.withUnsafeBufferPointer { numbers in
      sum.withUnsafeMutableBufferPointer { sum in
        for view in views {
          let place = view * stride
          var k = 0
          while k < stride {
            sum[k] += numbers[place + k]
            k += 1
          }
        }
      }
    }
    var hessian = [Double](repeating: 0, count: size * size)
    var k = 0
    for i in 0..<size {
      for j in i..<size {
        hessian[i * size + j] = sum[k]
        hessian[j * size + i] = sum[k]
        k += 1
      }
    }
    return (hessian, Array(sum[k...]))
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
