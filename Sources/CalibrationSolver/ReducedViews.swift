import Locking

/// The Schur complement over poses: what each view says of the shared parameters alone.
///
/// With a view's block [A B g; Bᵀ D h] (A shared, D pose), H_v = A − B·D⁻¹·Bᵀ and
/// g_v = g − B·D⁻¹·h; the pose's step follows from the shared one as −D⁻¹·(h + Bᵀ·δ).
///
/// Sendable for the same reason as `LinearizedViews`.
final class ReducedViews: @unchecked Sendable {
  let viewCount: Int
  let freeCount: Int
  /// H_v row by row, then g_v: (freeCount + 1)·freeCount numbers a view.
  let reduced: UnsafeMutablePointer<Double>
  /// How a view's pose is eliminated.
  let elimination: PoseElimination
  /// The last step of each view's pose: a turn and a shift, 6 numbers a view.
  let steps: UnsafeMutablePointer<Double>
  /// By how much the last step promises to lower Σr² through each view.
  let promises: UnsafeMutablePointer<Double>
  private let eliminations: UnsafeMutablePointer<Double>
  private let isRegular: UnsafeMutablePointer<Bool>
  /// What groups of views add up to, one after another.
  private let sums: UnsafeMutablePointer<Double>
  /// The views of a group: fixed, so that rounding does not depend on the number of threads.
  private static var groupSize: Int { 16 }
  private let groupCount: Int
  /// The numbers that a group adds up to: H_v and g_v as for a view, then the diagonal of A.
  private let sumCount: Int

  init(viewCount: Int, freeCount: Int) {
    self.viewCount = viewCount
    self.freeCount = freeCount
    elimination = PoseElimination(freeCount: freeCount)
    reduced = .allocate(capacity: max(1, viewCount * (freeCount + 1) * freeCount))
    eliminations = .allocate(capacity: max(1, viewCount * elimination.size))
    steps = .allocate(capacity: max(1, viewCount * 6))
    promises = .allocate(capacity: max(1, viewCount))
    isRegular = .allocate(capacity: max(1, viewCount))
    groupCount = (viewCount + Self.groupSize - 1) / Self.groupSize
    sumCount = freeCount * (freeCount + 2)
    sums = .allocate(capacity: max(1, groupCount * sumCount))
  }

  deinit {
    reduced.deallocate()
    eliminations.deallocate()
    steps.deallocate()
    promises.deallocate()
    isRegular.deallocate()
    sums.deallocate()
  }

  /// H_v of a view, row by row, both triangles.
  func matrix(_ view: Int) -> UnsafeMutablePointer<Double> {
    reduced + view * (freeCount + 1) * freeCount
  }

  /// g_v of a view.
  func gradient(_ view: Int) -> UnsafeMutablePointer<Double> {
    matrix(view) + freeCount * freeCount
  }

  /// D⁻¹·[Bᵀ | h] of a view.
  func eliminated(_ view: Int) -> UnsafeMutablePointer<Double> {
    eliminations + view * elimination.size
  }

  /// Eliminates the poses of all views, their blocks damped by `damping` times their diagonal.
  ///
  /// - Returns: The first view whose pose its points do not determine; nil when all is well.
  func reduce(_ linearized: LinearizedViews, damping: Double, jobs: Int) -> Int? {
    Parallel.forEach(groupCount, jobs: self.jobs(jobs)) { group in
      let sum = self.sums + group * self.sumCount
      sum.update(repeating: 0, count: self.sumCount)
      let first = group * Self.groupSize
      var view = first
      while view < min(first + Self.groupSize, self.viewCount) {
        if linearized.packed.isActive[view] {
          self.isRegular[view] = self.elimination.eliminate(
            from: linearized.block(view), width: linearized.width, damping: damping,
            into: self.eliminated(view), self.matrix(view), self.gradient(view))
          self.add(view, linearized, to: sum)
        }
        view += 1
      }
    }
    for view in 0..<viewCount where linearized.packed.isActive[view] && !isRegular[view] {
      return view
    }
    return nil
  }

  /// What all views together say of the shared parameters.
  struct Sums {
    /// Σ H_v, row by row.
    var matrix: [Double]
    /// Σ g_v.
    var gradient: [Double]
    /// The diagonal of Σ A, as it is before the poses are eliminated.
    var diagonal: [Double]
  }

  /// The sums over the views of the last `reduce`, which had an answer for each.
  var total: Sums {
    let p = freeCount
    var total = [Double](repeating: 0, count: sumCount)
    total.withUnsafeMutableBufferPointer { total in
      for group in 0..<groupCount {
        let sum = sums + group * sumCount
        for index in 0..<sumCount { total[index] += sum[index] }
      }
    }
    return Sums(
      matrix: Array(total[..<(p * p)]), gradient: Array(total[(p * p)..<(p * (p + 1))]),
      diagonal: Array(total[(p * (p + 1))...]))
  }

  /// Computes the step of a view's pose for the shared step δ, and what the two promise.
  func stepPose(
    _ view: Int, _ shared: [Double], of linearized: LinearizedViews, damping: Double
  ) {
    let p = freeCount
    let width = linearized.width
    let block = linearized.block(view)
    let step = steps + 6 * view
    shared.withUnsafeBufferPointer { shared in
      elimination.writeStep(step, from: eliminated(view), following: shared)
      var promise = 0.0
      var i = 0
      while i < p {
        promise -= block[i * width + width - 1] * shared[i]
        i += 1
      }
      var k = 0
      while k < 6 {
        let row = block + (p + k) * width
        promise += damping * row[p + k] * step[k] * step[k] - row[width - 1] * step[k]
        k += 1
      }
      promises[view] = promise
    }
  }

  /// The number of threads to use: a view takes less than two microseconds.
  func jobs(_ jobs: Int) -> Int { viewCount < 50 ? 1 : jobs }

  /// Adds H_v, g_v and the diagonal of A of a view to those of its group.
  private func add(
    _ view: Int, _ linearized: LinearizedViews, to sum: UnsafeMutablePointer<Double>
  ) {
    let p = freeCount
    let h = matrix(view)
    let block = linearized.block(view)
    // g_v stands behind H_v in both.
    var index = 0
    while index < p * (p + 1) {
      sum[index] += h[index]
      index += 1
    }
    var i = 0
    while i < p {
      sum[p * (p + 1) + i] += block[i * (linearized.width + 1)]
      i += 1
    }
  }
}
